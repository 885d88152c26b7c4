"""Compares the token ids of a GGUF file's own tokenizer with llama.cpp's (PyPI `xllamacpp`) on every text of a JSONL file.

    python tests/interop/gguf_tokens.py build/release/bin/anneal MODEL.gguf DATA.jsonl

Every text field of every row is one text; a few hard ones (blanks, digits, scripts, typed control tokens) go with them.
"""
import json
import subprocess
import sys
import tempfile
import urllib.request

import xllamacpp

HARD = ["", " ", "  a", "a  ", "\n\n\na", "1234567 3.14", "it's we'll I'M", "ünïcode naïve", "日本語 한국어 العربية", "👍🏽 👨‍👩‍👧", "\tx\r\ny",
        "½ Ⅷ ①", "<|im_end|>", "a<|im_start|>b", "\u00a0x\u3000y"]


def texts_of(path):
    for line in open(path, encoding="utf-8"):
        if line.strip():
            yield from (value for value in json.loads(line).values() if isinstance(value, str))


def main():
    anneal, model, data = sys.argv[1:4]
    texts = list(texts_of(data)) + HARD
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        file.writelines(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in texts)
        file.flush()
        answer = subprocess.run([anneal, "tokenize", "--model", model, "--jsonl", file.name, "--no-special"],
                                check=True, capture_output=True, text=True)
    ours = [json.loads(line)["ids"] for line in answer.stdout.splitlines()]
    assert len(ours) == len(texts), "an answer for each text"

    params = xllamacpp.CommonParams()
    params.model.path = model
    params.n_ctx = 512
    params.n_gpu_layers = 0
    server = xllamacpp.Server(params)
    tokens = different = 0
    for text, ids in zip(texts, ours):
        request = urllib.request.Request(f"{server.listening_address}/tokenize", headers={"Content-Type": "application/json"},
                                         data=json.dumps({"content": text, "add_special": False, "parse_special": False}).encode())
        theirs = json.load(urllib.request.urlopen(request))["tokens"]
        tokens += len(theirs)
        if theirs != ids:
            different += 1
            if different <= 5:
                print(f"{text!r}\n  ours   {ids}\n  theirs {theirs}")
    print(f"{len(texts)} texts, {tokens} tokens, {different} texts with other ids")
    sys.exit(different != 0)


main()
