"""Compares logits from a GGUF file with those that transformers gives for the same file, unpacked to FP32.

    python tests/interop/gguf_logits.py build/release/bin/anneal MODEL.gguf

8 prompts of 64 positions: the largest difference, and how many first choices are the same.
"""
import json
import os
import subprocess
import sys
import tempfile

import torch
from transformers import AutoModelForCausalLM

PROMPTS = ["The capital of France is Paris, and the capital of Italy is Rome. ", "def add(a, b):\n    return a + b\n\n",
           "Question: what is 12 times 12? Answer: 144. ", "Once upon a time there was a small dog who lived near a river. ",
           "Water boils at one hundred degrees at sea level. ", "Dear customer, thank you for your letter of 3 May. ",
           "La casa es azul y el perro es negro. ", "1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, "]


def main():
    anneal, model = sys.argv[1:3]
    reference = AutoModelForCausalLM.from_pretrained(os.path.dirname(model) or ".", gguf_file=os.path.basename(model),
                                                     torch_dtype=torch.float32)
    largest = 0.0
    same = positions = 0
    for prompt in PROMPTS:
        answer = subprocess.run([anneal, "tokenize", "--model", model, "--text", prompt * 12, "--no-special"], check=True,
                                capture_output=True, text=True)
        ids = json.loads(answer.stdout)["ids"][:64]
        assert len(ids) == 64
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(ids, file)
            file.flush()
            answer = subprocess.run([anneal, "logits", "--model", model, "--ids", file.name, "--all", "--precision", "fp32"],
                                    check=True, capture_output=True, text=True)
        ours = torch.tensor(json.loads(answer.stdout)["logits"])
        with torch.no_grad():
            theirs = reference(torch.tensor([ids])).logits[0]
        largest = max(largest, (ours - theirs).abs().max().item())
        same += (ours.argmax(-1) == theirs.argmax(-1)).sum().item()
        positions += len(ids)
    print(f"largest difference {largest:.3e}, same first choice at {same} of {positions} positions")
    sys.exit(largest > 1e-2 or same != positions)


main()
