#!/usr/bin/env python3
"""LoRA from a GGUF file beside PyTorch + PEFT with the same recipe, and what is exported loaded by them.

    tests/interop/lora_beside_peft.py PATH/TO/anneal MODEL.gguf TRAIN.jsonl EVAL.jsonl [--steps 100] [--rows 4]

Needs torch, transformers, peft and gguf (in a virtual environment outside the checkout). Trains both in FP32 on the rows as
our data path encodes them, prints both evaluation losses before and after, and how far the logits of the adapter in PEFT
(over the base that transformers unpacks from the file) and of the merged folder in transformers are from ours. Status 1 if
our loss falls by less than 10 %, the losses differ by more than 2 %, or logits by more than 1e-2.
"""
import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForCausalLM

RANK, ALPHA, LEARNING_RATE, CLIP = 16, 32, 2e-4, 1.0
LINEARS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


def run(anneal, *words):
    done = subprocess.run([anneal, *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"anneal {' '.join(words)}: status {done.returncode}\n{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def encoded_rows(anneal, model, data):
    """Ids and labels of every row, as ours are."""
    count = sum(1 for line in open(data) if line.strip())

    def one(row):
        tokens = run(anneal, "data", "preview", "--model", model, "--data", data, "--row", str(row), "--json")[0]["tokens"]
        return [t["id"] for t in tokens], [t["id"] if t["learn"] else -100 for t in tokens]

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, range(1, count + 1)))


def batch(rows):
    longest = max(len(ids) for ids, _ in rows)
    pad = lambda values, filler: values + [filler] * (longest - len(values))
    return {"input_ids": torch.tensor([pad(ids, 0) for ids, _ in rows]),
            "attention_mask": torch.tensor([pad([1] * len(ids), 0) for ids, _ in rows]),
            "labels": torch.tensor([pad(labels, -100) for _, labels in rows])}


def evaluation_loss(model, rows):
    total = labels = 0
    with torch.no_grad():
        for at in range(0, len(rows), 4):
            part = batch(rows[at:at + 4])
            count = (part["labels"][:, 1:] != -100).sum().item()
            total += model(**part).loss.item() * count
            labels += count
    return total / labels


def base_model(path):
    return AutoModelForCausalLM.from_pretrained(os.path.dirname(path) or ".", gguf_file=os.path.basename(path),
                                                torch_dtype=torch.float32)


def train_peer(options, train, evaluation):
    torch.manual_seed(1)
    random.seed(1)
    model = get_peft_model(base_model(options.model),
                           LoraConfig(r=RANK, lora_alpha=ALPHA, target_modules=LINEARS, task_type="CAUSAL_LM"))
    before = evaluation_loss(model, evaluation)
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=LEARNING_RATE, weight_decay=0.0)
    order = random.sample(range(len(train)), len(train))
    model.train()
    for step in range(options.steps):
        chosen = [train[order[(step * options.rows + i) % len(order)]] for i in range(options.rows)]
        model(**batch(chosen)).loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, CLIP)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    model.eval()
    return before, evaluation_loss(model, evaluation)


def train_ours(options, out):
    events = run(options.anneal, "train", "--model", options.model, "--data", options.train, "--eval", options.eval, "--out", str(out),
                 "--method", "lora", "--precision", "fp32", "--lora-rank", str(RANK), "--lora-alpha", str(ALPHA),
                 "--max-steps", str(options.steps), "--per-device-batch-size", str(options.rows), "--gradient-accumulation-steps", "1",
                 "--packing", "false", "--learning-rate", str(LEARNING_RATE), "--lr-scheduler", "constant", "--warmup-steps", "0",
                 "--max-grad-norm", str(CLIP), "--weight-decay", "0", "--json")
    losses = [event["loss"] for event in events if event["event"] == "eval"]
    return losses[0], losses[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("anneal", "model", "train", "eval"):
        parser.add_argument(name)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--rows", type=int, default=4)
    options = parser.parse_args()
    failures = []
    with tempfile.TemporaryDirectory() as name:
        out = pathlib.Path(name) / "run"
        before, after = train_ours(options, out)
        print(f"ours:  evaluation loss {before:.4f} before, {after:.4f} after {options.steps} steps ({after / before - 1:+.1%})", flush=True)
        if after > 0.9 * before:
            failures.append("our loss falls by less than 10 %")

        evaluation = encoded_rows(options.anneal, options.model, options.eval)
        ids = evaluation[0][0][:128]
        listed = ",".join(map(str, ids))
        ours = lambda *words: torch.tensor(
            run(options.anneal, "logits", *words, "--precision", "fp32", "--ids", listed, "--all", "--json")[0]["logits"])
        trained = ours("--model", str(out))
        for form, words in (("adapter", []), ("merged", ["--dtype", "f32"])):
            folder = pathlib.Path(name) / form
            run(options.anneal, "export", "--run", str(out), "--format", form, "--out", str(folder), *words, "--json")
            model = (PeftModel.from_pretrained(base_model(options.model), folder) if form == "adapter"
                     else AutoModelForCausalLM.from_pretrained(folder, torch_dtype=torch.float32))
            with torch.no_grad():
                difference = (model.eval()(torch.tensor([ids])).logits[0] - trained).abs().max().item()
            print(f"{form}: largest difference of logits {difference:.2e}", flush=True)
            if not difference <= 1e-2:
                failures.append(f"{form}: logits differ")

        peer_before, peer_after = train_peer(options, encoded_rows(options.anneal, options.model, options.train), evaluation)
        print(f"PEFT:  evaluation loss {peer_before:.4f} before, {peer_after:.4f} after ({peer_after / peer_before - 1:+.1%}); "
              f"ours / theirs {after / peer_after:.4f}")
        if not math.isclose(after, peer_after, rel_tol=0.02):
            failures.append("the losses differ by more than 2 %")
    for failure in failures:
        print(f"FAIL {failure}")
    sys.exit(bool(failures))


main()
