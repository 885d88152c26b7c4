"""Writes tests/fixtures/tokenizers/*.json: tiny tokenizers with what the reference library makes of some texts.

Run by hand, with the PyPI packages `tokenizers` and `sentencepiece`:
    python tests/interop/make_tokenizer_fixtures.py tests/fixtures/tokenizers
"""
import json
import os
import sys

from tokenizers import Tokenizer

import tiny_tokenizers
from tokenizers_differential import byte_spans, control_tokens_in_words, offsets_are_comparable

GROUPS = {"pieces": ("pieces_",), "normalizers": ("normal_",), "decoders": ("decode_",)}
MOST_CASES = {"pieces": 7, "normalizers": 10, "decoders": 5, "models": 18}


def group_of(name):
    return next((group for group, starts in GROUPS.items() if name.startswith(starts)), "models")


def case_of(reference, description, text, number):
    parse = control_tokens_in_words(description) or number % 3 != 1
    reference.encode_special_tokens = not parse
    encoding = reference.encode(text, add_special_tokens=number % 2 == 0)
    case = {"text": text, "add": number % 2 == 0, "parse": parse, "ids": encoding.ids}
    has_byte_runs = description["model"]["type"] == "Unigram" and description["model"]["byte_fallback"]
    if offsets_are_comparable(description, text) and not has_byte_runs:
        spans = byte_spans(text, encoding.offsets)
        # What the post-processor puts there has no place; ours is an empty one.
        case["offsets"] = [None if added else span for span, added in zip(spans, encoding.special_tokens_mask)]
    case["decoded"] = reference.decode(encoding.ids, skip_special_tokens=False)
    case["skipped"] = reference.decode(encoding.ids, skip_special_tokens=True)
    return case


def decode_cases(reference, description):
    count = len(description["model"]["vocab"])
    lists = [list(range(1, count)), list(range(count - 1, 0, -1)), [1, 1, 2, 2, 1], [2], [0, 3, 99]]
    cases = []
    for ids in lists:
        try:
            cases.append({"ids": ids, "decoded": reference.decode(ids, skip_special_tokens=False)})
        except BaseException:  # the reference cannot decode these
            pass
    return cases


def cases_of(name, description, most):
    reference = Tokenizer.from_str(json.dumps(description))
    if group_of(name) == "decoders":
        return decode_cases(reference, description)
    cases, seen = [], set()
    # First the texts that tell most: those whose outcome is not the text's own pattern seen before.
    for number, text in enumerate(tiny_tokenizers.TEXTS):
        try:
            case = case_of(reference, description, text, number)
        except BaseException:  # the reference breaks off on this text
            continue
        outcome = (len(case["ids"]), case["decoded"] == text)
        cases.append((outcome in seen, -len(case["ids"]) if len(case["ids"]) < 40 else 0, case))
        seen.add(outcome)
    cases.sort(key=lambda item: item[:2])
    return [case for _, _, case in cases[:most]]


SENTENCEPIECE_TEXTS = ["", "Hello world!", "  low  lower ", "naïve 日本語 🦙", "<s> user_token </s>", "\u2581x", "hello\nworld", "e\u0301"]


def sentencepiece_fixtures(folder):
    import sentencepiece
    cases = []
    for kind in ("bpe", "unigram"):
        prefix = os.path.join(folder, "tiny_" + kind)
        with open(prefix + ".txt", "w", encoding="utf-8") as file:
            file.write("\n".join(tiny_tokenizers.CORPUS * 3))
        rules = prefix + ".tsv"
        tiny_tokenizers.write_character_rules(rules)
        normalization = {"normalization_rule_tsv": rules} if kind == "unigram" else {"normalization_rule_name": "identity"}
        sentencepiece.SentencePieceTrainer.train(
            input=prefix + ".txt", model_prefix=prefix, model_type=kind, vocab_size=360, hard_vocab_limit=False,
            byte_fallback=True, user_defined_symbols=["user_token"], character_coverage=0.98, minloglevel=2,
            remove_extra_whitespaces=kind == "unigram", num_threads=1, **normalization)
        os.remove(prefix + ".txt")
        os.remove(rules)
        os.remove(prefix + ".vocab")
        processor = sentencepiece.SentencePieceProcessor(model_file=prefix + ".model")
        cases += [{"model": kind, "text": text, "ids": processor.encode(text)} for text in SENTENCEPIECE_TEXTS]
    return cases


def write_list(path, members):
    lines = ",\n".join(json.dumps(member, ensure_ascii=False, separators=(",", ":")) for member in members)
    with open(path, "w", encoding="utf-8") as file:
        file.write("[\n" + lines + "\n]\n")


def main(folder):
    os.makedirs(folder, exist_ok=True)
    groups = {}
    for name, description in tiny_tokenizers.all_tokenizers().items():
        group = group_of(name)
        groups.setdefault(group, []).append(
            {"name": name, "tokenizer": description, "cases": cases_of(name, description, MOST_CASES[group])})
    for group, fixtures in groups.items():
        write_list(os.path.join(folder, group + ".json"), fixtures)
    write_list(os.path.join(folder, "sentencepiece.json"), sentencepiece_fixtures(folder))


if __name__ == "__main__":
    main(sys.argv[1])
