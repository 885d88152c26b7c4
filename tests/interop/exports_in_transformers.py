#!/usr/bin/env python3
"""Loads exports in transformers and PEFT and compares their logits with ours.

    tests/interop/exports_in_transformers.py PATH/TO/anneal [MODEL_FOLDER]

Needs torch, transformers, peft and safetensors (in a virtual environment outside the checkout). Without MODEL_FOLDER a
tiny model is made. Trains a few steps of LoRA and of full fine-tuning, exports merged folder and adapter, and prints
the largest difference of logits; status 1 if one is over 1e-4.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM

IDS = [1, 72, 101, 108, 108, 111, 44, 32, 119, 111, 114, 108, 100, 33, 10, 65, 66, 67, 68, 69]
TOLERANCE = 1e-4


def run(anneal, *words):
    done = subprocess.run([anneal, *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"anneal {' '.join(words)}: status {done.returncode}\n{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def ours(anneal, *words):
    ids = ",".join(map(str, IDS))
    return torch.tensor(run(anneal, "logits", *words, "--ids", ids, "--all", "--json")[0]["logits"])


def theirs(model):
    with torch.no_grad():
        return model.float().eval()(torch.tensor([IDS])).logits[0]


def main():
    anneal = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model = sys.argv[2] if len(sys.argv) > 2 else str(folder / "model")
        if len(sys.argv) <= 2:
            run(anneal, "model", "new", "--out", model, "--seed", "11", "--json")
        data = folder / "rows.jsonl"
        data.write_text("".join(json.dumps({"prompt": f"say {i}: ", "completion": "x" * (i % 5 + 1)}) + "\n" for i in range(16)))
        failed = False
        for method in ("lora", "full"):
            out = folder / method
            run(anneal, "train", "--model", model, "--data", str(data), "--out", str(out), "--method", method, "--max-steps", "20",
                "--learning-rate", "5e-3", "--json")
            merged = folder / f"{method}-merged"
            run(anneal, "export", "--run", str(out), "--format", "merged", "--dtype", "f32", "--out", str(merged), "--json")
            pairs = [("merged folder in transformers", ours(anneal, "--model", str(merged)),
                      theirs(AutoModelForCausalLM.from_pretrained(merged, torch_dtype=torch.float32))),
                     ("merged folder against the run", ours(anneal, "--model", str(out)), ours(anneal, "--model", str(merged)))]
            if method == "lora":
                adapter = folder / "adapter"
                run(anneal, "export", "--run", str(out), "--format", "adapter", "--out", str(adapter), "--json")
                base = AutoModelForCausalLM.from_pretrained(model, torch_dtype=torch.float32)
                pairs.append(("adapter in PEFT", ours(anneal, "--model", model, "--adapter", str(adapter)), theirs(PeftModel.from_pretrained(base, adapter))))
            for what, a, b in pairs:
                difference = (a - b).abs().max().item()
                failed |= difference > TOLERANCE
                print(f"{method:5} {what:32} largest difference of logits {difference:.2e} {'ok' if difference <= TOLERANCE else 'FAILED'}")
        return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
