#!/usr/bin/env python3
"""Speed and memory of a training step beside PyTorch + transformers + PEFT: the same rows, the same micro-batch, in turns.

    tests/bench/peer_pytorch.py PATH/TO/anneal MODEL_FOLDER [--method lora|full] [--precisions fp32,bf16]
        [--peers eager,compiled] [--rows 8] [--length 512] [--steps 4] [--rounds 5]

Needs torch, transformers and peft (in a virtual environment outside the checkout) and a quiet machine. One round runs every
contender once, each in a process of its own; the table gives the medians over the rounds. All rows have the same
length, so that neither side pads. A step is: forward, backward, clipping, AdamW. The first two steps of each run warm up
and are not counted. Memory is the peak resident set (VmHWM) of the whole process.
"""
import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

WARM_UP = 2
RANK, ALPHA, LEARNING_RATE, CLIP = 16, 32, 1e-4, 1.0
LINEARS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


def peak_bytes(status):
    for line in status.splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


def run_peer(options):
    """The peer's side, in a process of its own: prints one JSON line."""
    import torch
    from transformers import AutoModelForCausalLM

    torch.manual_seed(1)
    torch.set_num_threads(os.cpu_count())
    # Adapters and optimizer in FP32 in both precisions, as ours; full fine-tuning in BF16 by autocast over FP32 weights.
    is_bf16 = options.peer_precision == "bf16"
    base_type = torch.bfloat16 if is_bf16 and options.method == "lora" else torch.float32
    model = AutoModelForCausalLM.from_pretrained(options.model, torch_dtype=base_type, attn_implementation="sdpa")
    model.config.use_cache = False
    if options.method == "lora":
        from peft import LoraConfig, get_peft_model
        model = get_peft_model(model, LoraConfig(r=RANK, lora_alpha=ALPHA, target_modules=LINEARS, task_type="CAUSAL_LM"))
    model.train()
    trained = [p for p in model.parameters() if p.requires_grad]
    for parameter in trained:
        parameter.data = parameter.data.float()
    optimizer = torch.optim.AdamW(trained, lr=LEARNING_RATE, weight_decay=0.0)
    step_model = torch.compile(model) if options.peer == "compiled" else model
    rows = [json.loads(line)["input_ids"] for line in open(options.data)]
    seconds, losses = [], []
    for step in range(options.steps + WARM_UP):
        at = step * options.rows % len(rows)
        ids = torch.tensor(rows[at:at + options.rows])
        begin = time.perf_counter()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=is_bf16):
            loss = step_model(input_ids=ids, labels=ids).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, CLIP)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        losses.append(loss.item())
        seconds.append(time.perf_counter() - begin)
    tokens = options.rows * options.length
    print(json.dumps({"tokens_per_second": tokens / statistics.median(seconds[WARM_UP:]), "losses": losses,
                      "peak_bytes": peak_bytes(open("/proc/self/status").read())}))


def ours(options, precision, data, folder):
    out = folder / "run"
    words = [options.anneal, "train", "--model", options.model, "--data", str(data), "--out", str(out), "--method", options.method,
             "--precision", precision, "--packing", "false", "--max-sequence-length", str(options.length),
             "--per-device-batch-size", str(options.rows), "--gradient-accumulation-steps", "1",
             "--max-steps", str(options.steps + WARM_UP), "--learning-rate", str(LEARNING_RATE), "--lr-scheduler", "constant",
             "--warmup-steps", "0", "--max-grad-norm", str(CLIP), "--recompute", "none", "--checkpoint-every-steps", "1000000",
             "--json"]
    if options.method == "lora":
        words += ["--lora-rank", str(RANK), "--lora-alpha", str(ALPHA)]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"anneal: status {done.returncode}\n{done.stderr}")
    subprocess.run(["rm", "-rf", str(out)], check=True)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    steps = [event for event in events if event["event"] == "step"]
    return {"tokens_per_second": statistics.median(event["tokens_per_second"] for event in steps[WARM_UP:]),
            "losses": [event["loss"] for event in steps], "peak_bytes": events[-1]["peak_bytes"]}


def theirs(options, peer, precision, data):
    words = [sys.executable, __file__, options.anneal, options.model, "--method", options.method, "--rows", str(options.rows),
             "--length", str(options.length), "--steps", str(options.steps), "--peer", peer, "--peer-precision", precision,
             "--data", str(data)]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"peer {peer} {precision}: status {done.returncode}\n{done.stderr[-3000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def machine():
    info = open("/proc/cpuinfo").read()
    name = next((line.split(":")[1].strip() for line in info.splitlines() if line.startswith("model name")), "unknown")
    flags = set(next((line for line in info.splitlines() if line.startswith("flags")), "").split())
    sets = [flag for flag in ("avx2", "avx512f", "avx512_bf16", "amx_bf16") if flag in flags]
    return f"{name}, {os.cpu_count()} threads, {' '.join(sets)}"


def compare(options):
    config = json.loads((pathlib.Path(options.model) / "config.json").read_text())
    vocabulary = min(config["vocab_size"], 30000)
    random.seed(7)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        data = folder / "rows.jsonl"
        data.write_text("".join(json.dumps({"input_ids": [random.randrange(3, vocabulary) for _ in range(options.length)]}) + "\n"
                                for _ in range(options.rows * 2)))
        precisions = options.precisions.split(",")
        results = {}
        for _ in range(options.rounds):
            for precision in precisions:
                results.setdefault(("anneal", precision), []).append(ours(options, precision, data, folder))
                for peer in options.peers.split(","):
                    results.setdefault((f"PyTorch {peer}", precision), []).append(theirs(options, peer, precision, data))
    import peft
    import torch
    import transformers
    print(f"{machine()}\ntorch {torch.__version__}, transformers {transformers.__version__}, peft {peft.__version__}")
    print(f"{options.method}, {options.rows} rows of {options.length}, medians of {options.rounds} rounds of {options.steps} steps\n")
    print("| contender | precision | tokens/s | peak memory | first loss |\n|---|---|---:|---:|---:|")
    median = {key: {what: statistics.median(run[what] for run in runs) for what in ("tokens_per_second", "peak_bytes")}
              for key, runs in results.items()}
    for key, runs in results.items():
        print(f"| {key[0]} | {key[1]} | {median[key]['tokens_per_second']:.0f} | {median[key]['peak_bytes'] / 1e9:.2f} GB "
              f"| {runs[0]['losses'][0]:.4f} |")
    best_of = lambda ours_side: max((m for k, m in median.items() if (k[0] == "anneal") == ours_side),
                                    key=lambda m: m["tokens_per_second"])
    a, b = best_of(True), best_of(False)
    print(f"\nbest of ours / best of theirs: {a['tokens_per_second'] / b['tokens_per_second']:.2f} x the token rate, "
          f"{a['peak_bytes'] / b['peak_bytes']:.2f} x the memory")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("anneal")
    parser.add_argument("model")
    parser.add_argument("--method", choices=["lora", "full"], default="lora")
    parser.add_argument("--precisions", default="fp32")
    parser.add_argument("--peers", default="eager")
    parser.add_argument("--rows", type=int, default=8)
    parser.add_argument("--length", type=int, default=512)
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peer", help=argparse.SUPPRESS)
    parser.add_argument("--peer-precision", help=argparse.SUPPRESS)
    parser.add_argument("--data", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        run_peer(options)
    else:
        compare(options)


if __name__ == "__main__":
    main()
