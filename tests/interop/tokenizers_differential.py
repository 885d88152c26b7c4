"""Compares our tokenizers with the reference library (PyPI `tokenizers`) on many texts: ids, offsets, decoded texts.

    python tests/interop/tokenizers_differential.py build/dev/bin/tokenize_lines [FOLDER…] [--texts N] [--seed N]

Without folders: every tiny tokenizer of tiny_tokenizers.py. A folder holds a tokenizer.json, or a lone tokenizer.model,
whose ids are compared with SentencePiece's.
Byte-level offsets are compared without the reference's trimming of blanks, which we leave out on purpose.
"""
import argparse
import json
import os
import random
import subprocess
import tempfile

from tokenizers import Tokenizer

import tiny_tokenizers

ALPHABETS = ["abcdehlorstw ", "ABCÉé'’.,!?-()[]{}<>/\\|\"#1234567890 \t\n\r", "日本語中文字漢かなカナ한국어각 ", "абвгд αβγ ",
             "e\u0301\u0302\u0323\u0327\u0345\u1100\u1161\u11a8가각", "👍🏽👨\u200d👩🇩🇪❤\ufe0f", "ﬁＡｶﾞ½Ⅷ①\u3000\u00ad\u00a0\u200b\u2028\ufeff",
             "قراءةहिन्दीไทย", "<s></unk>[CLS]▁ĠWORD"]
FRAGMENTS = ["<s>", "</s>", "<unk>", "<|im_start|>", "<|im_end|>", "<think>", "<plain>", "<left>", "<right>", "<both>", "WORD",
             "Normal Form", "normal form", "<sn>", "É", "[CLS]", "[SEP]", "hello", "world", " lower", "low", "  ", "\n\n", "'s", "n't"]


def random_text(source):
    parts = []
    for _ in range(source.randrange(1, 8)):
        roll = source.random()
        if roll < 0.3:
            parts.append(source.choice(FRAGMENTS))
        elif roll < 0.35:
            parts.append("".join(chr(source.choice([source.randrange(0x20, 0x3000), source.randrange(0xA000, 0xD7FF),
                                                    source.randrange(0xF900, 0x11FFF), source.randrange(0x1D000, 0x1FBFF)]))
                                 for _ in range(source.randrange(1, 5))))
        else:
            alphabet = source.choice(ALPHABETS)
            parts.append("".join(source.choice(alphabet) for _ in range(source.randrange(1, 12))))
    return "".join(parts)


def byte_spans(text, offsets):
    starts = [0]
    for character in text:
        starts.append(starts[-1] + len(character.encode()))
    return [[starts[begin], starts[end]] for begin, end in offsets]


def reference_answer(reference, request):
    reference.encode_special_tokens = not request["parse_special_tokens"]
    encoding = reference.encode(request["text"], add_special_tokens=request["add_special_tokens"])
    offsets = byte_spans(request["text"], encoding.offsets)
    return {"ids": encoding.ids, "offsets": [span for span, added in zip(offsets, encoding.special_tokens_mask) if not added],
            "decoded": reference.decode(encoding.ids, skip_special_tokens=request["skip_special_tokens"]),
            "mask": encoding.special_tokens_mask}


def control_tokens_in_words(description):
    """Where a control token is a word of the model, typed text becomes it in the reference even when it is not parsed."""
    model = description["model"]
    words = {entry[0] for entry in model["vocab"]} if model["type"] == "Unigram" else set(model["vocab"])
    return model["type"] != "BPE" and any(token["special"] and token["content"] in words for token in description["added_tokens"])


def offsets_agree(ours, theirs, is_finer):
    """For a run of unknown characters in bytes the reference gives each byte the whole run, we its own character."""
    if not is_finer:
        return ours == theirs
    return len(ours) == len(theirs) and all(a[0] >= b[0] and a[1] <= b[1] for a, b in zip(ours, theirs))


def offsets_are_comparable(description, text):
    """What a character map deletes, the reference gives to a neighbour that did not come from it."""
    return "\u00ad" not in text or "Precompiled" not in json.dumps(description["normalizer"])


def compare_sentencepiece(program, folder, texts, show):
    import sentencepiece
    reference = sentencepiece.SentencePieceProcessor(model_file=os.path.join(folder, "tokenizer.model"))
    requests = [{"text": text, "add_special_tokens": False, "parse_special_tokens": False} for text in texts]
    lines = subprocess.run([program, folder], input="".join(json.dumps(request) + "\n" for request in requests),
                           capture_output=True, text=True, check=True)
    wrong = 0
    for text, line in zip(texts, lines.stdout.split("\n")):
        ours, theirs = json.loads(line), reference.encode(text)
        if ours.get("ids") != theirs:
            wrong += 1
            if wrong <= show:
                print(f"{folder}: {json.dumps(text, ensure_ascii=False)}\n  ours   {ours}\n  theirs {theirs}")
    print(f"{folder}: {len(texts)} texts, {wrong} differ", flush=True)
    return wrong


def compare(program, name, folder, texts, show):
    with open(os.path.join(folder, "tokenizer.json"), encoding="utf-8") as file:
        description = json.load(file)
    reference = Tokenizer.from_str(json.dumps(description).replace('"trim_offsets": true', '"trim_offsets": false'))
    always_parse = control_tokens_in_words(description)
    is_finer = description["model"]["type"] == "Unigram" and description["model"]["byte_fallback"]
    requests = [{"text": text, "add_special_tokens": i % 3 != 0, "parse_special_tokens": always_parse or i % 4 != 1,
                 "skip_special_tokens": i % 2 == 0} for i, text in enumerate(texts)]
    lines = subprocess.run([program, folder], input="".join(json.dumps(request) + "\n" for request in requests),
                           capture_output=True, text=True, check=False)
    if lines.returncode != 0:
        print(f"{name}: {lines.stderr.strip()}")
        return len(texts)
    wrong = 0
    for request, line in zip(requests, lines.stdout.split("\n")):
        ours = json.loads(line)
        try:
            theirs = reference_answer(reference, request)
        except BaseException as error:  # the reference panics on some texts that we can decode
            theirs = {"error": str(error)}
        if "error" in theirs:
            same = "error" in ours or "panic" in type(theirs).__name__.lower() or "out of" in theirs["error"]
        elif "error" in ours:
            same = False
        else:
            ours["offsets"] = [span for span, added in zip(ours["offsets"], theirs["mask"]) if not added]
            same = (ours["ids"] == theirs["ids"] and ours["decoded"] == theirs["decoded"]
                    and (offsets_agree(ours["offsets"], theirs["offsets"], is_finer)
                         or not offsets_are_comparable(description, request["text"])) and ours["streamed"] == ours["decoded"])
        if not same:
            wrong += 1
            if wrong <= show:
                print(f"{name}: {json.dumps(request, ensure_ascii=False)}\n  ours   {ours}\n  theirs {theirs}")
    print(f"{name}: {len(texts)} texts, {wrong} differ", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--texts", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=3)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    source = random.Random(arguments.seed)
    texts = [*tiny_tokenizers.TEXTS, *(random_text(source) for _ in range(arguments.texts))]
    wrong = 0
    if arguments.folders:
        for folder in arguments.folders:
            if not os.path.exists(os.path.join(folder, "tokenizer.json")):
                wrong += compare_sentencepiece(arguments.program, folder, texts, arguments.show)
                continue
            wrong += compare(arguments.program, folder, folder, texts, arguments.show)
    else:
        for name, description in tiny_tokenizers.all_tokenizers().items():
            if not name.startswith(arguments.only):
                continue
            with tempfile.TemporaryDirectory() as folder:
                with open(os.path.join(folder, "tokenizer.json"), "w", encoding="utf-8") as file:
                    json.dump(description, file)
                wrong += compare(arguments.program, name, folder, texts, arguments.show)
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
