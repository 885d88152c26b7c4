"""Tiny tokenizers of every kind, as tokenizer.json texts: for the fixtures and for the differential test."""
import base64
import json
import os
import tempfile

CORPUS = ["Hello world, hello there!", "The quick brown fox jumps over the lazy dog.", "naïve café Ünïcödé 각 한국어",
          "日本語のテキスト と 中文", "def f(x):\n\treturn x*2 # 1234567890", "hello hello hello world world", "low lower lowest"]


def byte_alphabet():
    own = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    characters, following = {}, 0x100
    for byte in range(256):
        if byte in own:
            characters[byte] = chr(byte)
        else:
            characters[byte] = chr(following)
            following += 1
    return characters


BYTES = byte_alphabet()


def spelt(text):
    return "".join(BYTES[byte] for byte in text.encode())


def learn_merges(words, count):
    """Plain BPE learning on words that are lists of symbols."""
    merges, words = [], [list(word) for word in words]
    for _ in range(count):
        pairs = {}
        for word in words:
            for pair in zip(word, word[1:]):
                pairs[pair] = pairs.get(pair, 0) + 1
        if not pairs:
            break
        best = max(sorted(pairs), key=lambda pair: pairs[pair])
        merges.append(best)
        for word in words:
            at = 0
            while at + 1 < len(word):
                if (word[at], word[at + 1]) == best:
                    word[at:at + 2] = ["".join(best)]
                at += 1
    return merges


def byte_bpe(pair_form=True, **more):
    words = [spelt((" " if i else "") + word) for text in CORPUS for i, word in enumerate(text.split(" "))]
    merges = learn_merges(words, 60)
    vocab = {character: i for i, character in enumerate(BYTES.values())}
    for left, right in merges:
        vocab.setdefault(left + right, len(vocab))
    return {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
            "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "vocab": vocab,
            "merges": [list(pair) for pair in merges] if pair_form else [" ".join(pair) for pair in merges], **more}


def piece_bpe(**more):
    """As made from a SentencePiece BPE model."""
    words = [list(("▁" + text.replace(" ", "▁"))) for text in CORPUS[:2] + CORPUS[5:]]
    merges = learn_merges(words, 50)
    vocab = {"<unk>": 0, "<s>": 1, "</s>": 2}
    for byte in range(256):
        vocab[f"<0x{byte:02X}>"] = len(vocab)
    for character in sorted({c for word in words for c in word}):
        vocab.setdefault(character, len(vocab))
    for left, right in merges:
        vocab.setdefault(left + right, len(vocab))
    return {"type": "BPE", "dropout": None, "unk_token": "<unk>", "continuing_subword_prefix": None,
            "end_of_word_suffix": None, "fuse_unk": True, "byte_fallback": True, "ignore_merges": False, "vocab": vocab,
            "merges": [" ".join(pair) for pair in merges], **more}


def unigram(byte_fallback, **more):
    vocab = [["<unk>", 0.0], ["<s>", 0.0], ["</s>", 0.0]]
    if byte_fallback:
        vocab += [[f"<0x{byte:02X}>", 0.0] for byte in range(256)]
    pieces = {}
    for text in CORPUS:
        text = "▁" + text.replace(" ", "▁")
        for size in range(1, 6):
            for at in range(len(text) - size + 1):
                piece = text[at:at + size]
                if "▁" not in piece[1:]:
                    pieces[piece] = pieces.get(piece, 0) + 1
    kept = [p for p in sorted(pieces) if (len(p) == 1 and ord(p) < 0x3000) or pieces[p] > 2]
    vocab += [[p, -12.0 + 1.75 * pieces[p] ** 0.5 - 0.37 * len(p)] for p in kept]
    return {"type": "Unigram", "unk_id": 0, "vocab": vocab, "byte_fallback": byte_fallback, **more}


def word_piece():
    words = sorted({w.lower().strip(".,!:") for t in CORPUS for w in t.split()} | {"low", "un"})
    vocab = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3}
    for piece in [*words, *("##" + w[-2:] for w in words), *"abcdefghijklmnopqrstuvwxyz0123456789.,!?-'",
                  *("##" + c for c in "abcdefghijklmnopqrstuvwxyz"), "日", "##est", "##er"]:
        vocab.setdefault(piece, len(vocab))
    return {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
            "vocab": vocab}


def word_level(words=("hello", "world"), unk="<unk>"):
    return {"type": "WordLevel", "vocab": {word: i for i, word in enumerate([unk, *words])}, "unk_token": unk}


def only_bytes():
    """One token a byte: shows what a normalizer made."""
    return {"type": "BPE", "vocab": {character: i for i, character in enumerate(BYTES.values())}, "merges": []}


def added(content, id, special=True, **flags):
    return {"id": id, "content": content, "single_word": False, "lstrip": False, "rstrip": False,
            "normalized": not special, "special": special, **flags}


def tokenizer(model, normalizer=None, pre_tokenizer=None, post_processor=None, decoder=None, added_tokens=()):
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": list(added_tokens),
            "normalizer": normalizer, "pre_tokenizer": pre_tokenizer, "post_processor": post_processor, "decoder": decoder,
            "model": model}


def byte_level(add_prefix_space=False, use_regex=True):
    return {"type": "ByteLevel", "add_prefix_space": add_prefix_space, "trim_offsets": False, "use_regex": use_regex}


def metaspace(**more):
    return {"type": "Metaspace", "replacement": "▁", **more}


def sequence(kind, *members):
    return {"type": "Sequence", kind: list(members)}


def template(before=(), behind=()):
    single = [*({"SpecialToken": {"id": name, "type_id": 0}} for name, _ in before), {"Sequence": {"id": "A", "type_id": 0}},
              *({"SpecialToken": {"id": name, "type_id": 0}} for name, _ in behind)]
    specials = {name: {"id": name, "ids": [id], "tokens": [name]} for name, id in [*before, *behind]}
    return {"type": "TemplateProcessing", "single": single, "pair": [*single, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": specials}


CHARACTER_RULES = [("ﬁ", "fi"), ("Ａ", "A"), ("ｶﾞ", "ガ"), ("ｶ", "カ"), ("e\u0301", "é"), ("\u00ad", ""), ("\t", " "),
                   ("\r\n", " "), ("½", "1/2"), ("\u3000", " ")]


def write_character_rules(path):
    with open(path, "w", encoding="utf-8") as file:
        for source, target in CHARACTER_RULES:
            file.write(" ".join(f"{ord(c):X}" for c in source) + "\t" + " ".join(f"{ord(c):X}" for c in target) + "\n")


def character_map():
    """A small map like those in SentencePiece models, made by the SentencePiece trainer."""
    import sentencepiece
    from sentencepiece import sentencepiece_model_pb2
    with tempfile.TemporaryDirectory() as folder:
        rules, corpus = os.path.join(folder, "rules.tsv"), os.path.join(folder, "corpus.txt")
        write_character_rules(rules)
        with open(corpus, "w", encoding="utf-8") as file:
            file.write("\n".join(CORPUS * 3))
        sentencepiece.SentencePieceTrainer.train(
            input=corpus, model_prefix=os.path.join(folder, "m"), vocab_size=90, model_type="unigram",
            normalization_rule_tsv=rules, minloglevel=2, hard_vocab_limit=False)
        model = sentencepiece_model_pb2.ModelProto()
        with open(os.path.join(folder, "m.model"), "rb") as file:
            model.ParseFromString(file.read())
        return base64.b64encode(model.normalizer_spec.precompiled_charsmap).decode()


LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
          r"|\s+(?!\S)|\s+")
GPT4O = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
         r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
         r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
BLOOM = r" ?[^(\s|[.,!?…。，、।۔،])]+"
DEEPSEEK = (r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*"
            r"|\s*[\r\n]+|\s+(?!\S)|\s+")
PATTERNS = {
    "llama3": LLAMA3, "gpt4o": GPT4O, "bloom": BLOOM, "deepseek": DEEPSEEK, "cjk": "[一-龥\u3040-ゟ゠-ヿ]+",
    "word": r"\w+|\W", "boundary": r"\b", "lines": r"^.", "dotall": r"(?m:o.)|x", "possessive": r"\s++|l*+o|[^\s]{2,3}+",
    "nested": r"[a-z&&[^aeiou]]+|[\d[A-C]]", "negated": r"[^\S\n]+|[^\p{L}\D]", "hex": r"\h{2}|\H", "posix": r"[[:alpha:]]+|[[:^space:]]",
    "han": r"\p{Han}+|\p{Hiragana}+|\p{Katakana}|\p{Hangul}", "extended": "(?x) l+ | o \\s # a comment\n | [ x]",
    "option": r"h(?i)E|L+|w", "escapes": r"\x{e9}|\u00ef|\t|\x41|\\|\/|\-", "behind": r"(?<=l)o|(?<!o) ",
    "empty": r"x*", "at_most": r"l{,2}", "repeat": r"(?:l{2})+|o{1,2}?", "property": r"\p{^L}|\P{Ll}", "atomic": r"(?>l+)o|\p{Lu}",
    "letters_m": r"\p{M}+|\p{Sc}|\p{So}", "back": r"(l)\1|o", "named": r"(?<x>l)\k<x>|(o)w", "keep": r"h\Ke",
}


def pieces(pre_tokenizer):
    """All words unknown: the offsets show the pieces."""
    return tokenizer(word_level(), pre_tokenizer=pre_tokenizer)


def split(pattern, behavior="Isolated", invert=False, kind="Regex"):
    return {"type": "Split", "pattern": {kind: pattern}, "behavior": behavior, "invert": invert}


def normal_form(normalizer):
    return tokenizer(only_bytes(), normalizer=normalizer, pre_tokenizer=byte_level(use_regex=False),
                     decoder=byte_level())


def decoding(decoder, tokens):
    return tokenizer(word_level(tokens), decoder=decoder, pre_tokenizer={"type": "WhitespaceSplit"})


def all_tokenizers():
    flags = [added("<plain>", 900), added("<left>", 901, lstrip=True), added("<right>", 902, rstrip=True),
             added("<both>", 903, lstrip=True, rstrip=True), added("WORD", 904, special=False, single_word=True, normalized=False),
             added("Normal Form", 905, special=False), added("<plain>x", 906, special=False, normalized=False),
             added("  ", 907, special=False, normalized=False), added("É", 908, special=False), added("<sn>", 909, normalized=True)]
    chat = [added("<|im_start|>", 1000), added("<|im_end|>", 1001), added("<think>", 1002, special=False, normalized=False)]
    bos_eos = template(before=[("<s>", 1)], behind=[("</s>", 2)])
    result = {
        "byte_bpe": tokenizer(byte_bpe(), pre_tokenizer=byte_level(), decoder=byte_level(), added_tokens=chat,
                              post_processor=byte_level()),
        "byte_bpe_prefix_space": tokenizer(byte_bpe(pair_form=False), pre_tokenizer=byte_level(True), decoder=byte_level(True),
                                           added_tokens=chat),
        "byte_bpe_ignore_merges": tokenizer(
            byte_bpe(ignore_merges=True), normalizer={"type": "NFC"},
            pre_tokenizer=sequence("pretokenizers", split(LLAMA3), byte_level(use_regex=False)), decoder=byte_level(),
            added_tokens=chat),
        "byte_normalizer": tokenizer(byte_bpe(), normalizer={"type": "ByteLevel"}, decoder=byte_level(), added_tokens=flags),
        "bytes_then_digits": tokenizer(byte_bpe(), pre_tokenizer=sequence(
            "pretokenizers", byte_level(), {"type": "Digits", "individual_digits": True}), decoder=byte_level()),
        "piece_bpe": tokenizer(piece_bpe(), normalizer=sequence(
            "normalizers", {"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}),
            post_processor=template(before=[("<s>", 1)]), decoder=sequence(
                "decoders", {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"},
                {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}),
            added_tokens=[added("<unk>", 0), added("<s>", 1), added("</s>", 2)]),
        "piece_bpe_metaspace": tokenizer(
            piece_bpe(byte_fallback=False), pre_tokenizer=metaspace(prepend_scheme="first", split=False),
            decoder=metaspace(prepend_scheme="first", split=False), added_tokens=[added("<s>", 1), added("</s>", 2)]),
        "bpe_no_fuse": tokenizer(piece_bpe(byte_fallback=False, fuse_unk=False), pre_tokenizer=metaspace()),
        "bpe_suffix": tokenizer(
            {"type": "BPE", "unk_token": "<unk>", "end_of_word_suffix": "</w>", "continuing_subword_prefix": "", "fuse_unk": False,
             "vocab": {t: i for i, t in enumerate(["<unk>", *"helowrd", *(c + "</w>" for c in "helowrd"), "he", "ll", "llo</w>",
                                                   "hello</w>", "ld</w>", "or"])},
             "merges": ["h e", "l l", "ll o</w>", "he llo</w>", "l d</w>", "o r"]},
            normalizer={"type": "Lowercase"}, pre_tokenizer={"type": "BertPreTokenizer"},
            decoder={"type": "BPEDecoder", "suffix": "</w>"}),
        "bpe_prefix": tokenizer(
            {"type": "BPE", "unk_token": "<unk>", "continuing_subword_prefix": "##", "end_of_word_suffix": None,
             "vocab": {t: i for i, t in enumerate(["<unk>", *"helowrd", *("##" + c for c in "helowrd"), "he", "##ll", "##llo", "hello"])},
             "merges": ["h ##e", "##l ##l", "##ll ##o", "he ##llo"]}, pre_tokenizer={"type": "Whitespace"},
            decoder={"type": "WordPiece", "prefix": "##", "cleanup": True}),
        "unigram": tokenizer(unigram(False), pre_tokenizer=metaspace(prepend_scheme="always"), post_processor=bos_eos,
                             decoder=metaspace(prepend_scheme="always"), added_tokens=[added("<s>", 1), added("</s>", 2)]),
        "unigram_bytes": tokenizer(
            unigram(True), normalizer={"type": "Precompiled", "precompiled_charsmap": character_map()},
            pre_tokenizer=sequence("pretokenizers", {"type": "WhitespaceSplit"}, metaspace(add_prefix_space=True)),
            decoder=sequence("decoders", {"type": "ByteFallback"}, metaspace(add_prefix_space=True)), post_processor=bos_eos),
        "word_piece": tokenizer(
            word_piece(), normalizer={"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                                      "strip_accents": None, "lowercase": True},
            pre_tokenizer={"type": "BertPreTokenizer"},
            post_processor={"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
            decoder={"type": "WordPiece", "prefix": "##", "cleanup": True},
            added_tokens=[added(t, i) for i, t in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]"])]),
        "word_level": tokenizer(
            word_level(), normalizer=sequence("normalizers", {"type": "Strip", "strip_left": True, "strip_right": False},
                                              {"type": "Lowercase"}),
            pre_tokenizer={"type": "Whitespace"}, post_processor=sequence(
                "processors", byte_level(), {"type": "RobertaProcessing", "sep": ["</s>", 4], "cls": ["<s>", 3],
                                             "trim_offsets": False, "add_prefix_space": False}),
            added_tokens=[added("<s>", 3), added("</s>", 4)]),
        "added_flags": tokenizer(byte_bpe(), normalizer=sequence("normalizers", {"type": "NFKC"}, {"type": "Lowercase"}),
                                 pre_tokenizer=byte_level(), decoder=byte_level(), added_tokens=flags),
        "decode_ctc": decoding({"type": "CTC", "pad_token": "<pad>", "word_delimiter_token": "|", "cleanup": True},
                               ["<pad>", "|", "h", "e", "l", "o", "'s", "."]),
        "decode_bpe": decoding({"type": "BPEDecoder", "suffix": "</w>"}, ["low</w>", "er</w>", "low", "<a>", "</w>x</w>"]),
        "decode_word_piece": decoding({"type": "WordPiece", "prefix": "##", "cleanup": True},
                                      ["he", "##llo", "do not", "n't", "'s", ".", "'", "##.", "a , b"]),
        "decode_metaspace": decoding(metaspace(prepend_scheme="always"), ["▁a", "b", "▁▁c", "▁", "d▁e"]),
        "decode_metaspace_never": decoding(metaspace(prepend_scheme="never"), ["▁a", "b", "▁▁c", "▁", "d▁e"]),
        "decode_strip": decoding(sequence("decoders", {"type": "Fuse"}, {"type": "Strip", "content": "x", "start": 2, "stop": 1}),
                                 ["x", "xx", "a", "axx", "xxbx", "xxx"]),
        "decode_strip_each": decoding({"type": "Strip", "content": "x", "start": 1, "stop": 0}, ["x", "xx", "a", "axx", "xxbx"]),
        "decode_replace": decoding(sequence("decoders", {"type": "Replace", "pattern": {"Regex": "[ab]+"}, "content": "-"},
                                            {"type": "Replace", "pattern": {"String": "c"}, "content": ""}),
                                   ["ab", "cab", "xx", "bca"]),
        "decode_bytes": decoding({"type": "ByteFallback"}, ["<0xE2>", "<0x82>", "<0xAC>", "<0x41>", "x", "<0xZZ>", "<0xff>"]),
        "decode_byte_level": decoding(byte_level(), ["Ġa", "Ã", "©", "ð", "Ł", "ĺ", "Ģ", "日", "Ċ"]),
        "decode_nothing": decoding(None, ["a", "b", "c"]),
    }
    for name, options in {"always": {"prepend_scheme": "always"}, "first": {"prepend_scheme": "first"},
                          "never": {"prepend_scheme": "never"}, "old": {"add_prefix_space": False, "prepend_scheme": "never"},
                          "unsplit": {"prepend_scheme": "always", "split": False}}.items():
        result["pieces_metaspace_" + name] = tokenizer(word_level(), pre_tokenizer=metaspace(**options),
                                                       added_tokens=[added("<s>", 3)])
    for behavior in ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"):
        result["pieces_split_" + behavior] = pieces(split("[lo ]", behavior))
        result["pieces_split_inverted_" + behavior] = pieces(split("[^lo ]+", behavior, invert=True))
        result["pieces_split_text_" + behavior] = pieces(split("l", behavior, kind="String"))
        result["pieces_punctuation_" + behavior] = pieces({"type": "Punctuation", "behavior": behavior})
    for name, pre_tokenizer in {
            "digits": {"type": "Digits", "individual_digits": False}, "single_digits": {"type": "Digits", "individual_digits": True},
            "bert": {"type": "BertPreTokenizer"}, "whitespace": {"type": "Whitespace"}, "whitespace_split": {"type": "WhitespaceSplit"},
            "scripts": {"type": "UnicodeScripts"}, "fixed_length": {"type": "FixedLength", "length": 3},
            "delimiter": {"type": "CharDelimiterSplit", "delimiter": "l"}}.items():
        result["pieces_" + name] = pieces(pre_tokenizer)
    for name, pattern in PATTERNS.items():
        result["pieces_pattern_" + name] = pieces(split(pattern))
    for kind in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt"):
        result["normal_" + kind] = normal_form({"type": kind})
    result["normal_strip"] = normal_form({"type": "Strip", "strip_left": True, "strip_right": True})
    result["normal_prepend"] = normal_form({"type": "Prepend", "prepend": "«x"})
    result["normal_replace"] = normal_form({"type": "Replace", "pattern": {"Regex": r"\s+|l"}, "content": "·–"})
    result["normal_replace_empty"] = normal_form({"type": "Replace", "pattern": {"Regex": r"o*"}, "content": "_"})
    result["normal_precompiled"] = normal_form({"type": "Precompiled", "precompiled_charsmap": character_map()})
    result["normal_bert"] = normal_form({"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                                         "strip_accents": True, "lowercase": False})
    result["normal_accents"] = normal_form(sequence("normalizers", {"type": "NFD"}, {"type": "StripAccents"}, {"type": "NFC"}))
    return result


TEXTS = [
    "", " ", "  ", "a", "Hello world!", "  Hello   world  ", "hello\nworld\r\n\r\n  x\t\ty", "HELLO World's don't I'LL",
    "Kantō naïve café", "e\u0301 E\u0301 a\u0323\u0302 a\u0302\u0323", "각 \u1100\u1161\u11a8", "日本語 中文, 한국어! тест",
    "1234567890 3.14 ١٢٣ ½ Ⅷ", "👍🏽 👨‍👩‍👧 🇩🇪 🦙", "ﬁ Ａ ｶﾞ ｶ ½ \u3000x\u00ad", "<s>hello</s> <unk>", "<|im_start|>user\nhi<|im_end|>",
    "a<plain>b <left> c <right>  d <both> e", "WORD WORDS aWORD WORD.", "normal form Normal Form NORMAL FORM", "<plain>x <plain>",
    "É é E\u0301 <SN> <sn>", "[CLS] low lower lowest [SEP] unknownword", "▁This ▁is", "x" * 40, "lllooo hexEL aLLo",
    "\u200b\u200d\ufeff\u00a0|\u2028|\u180e|\x07|\ue000|\x00", "İstanbul ǅ ß ẞ Σ", "a,b.c;d!e?f…g«h»", "def f(x):\n    return x[1:]/2 # ok\n",
    "\U00031350\U0002ebf0\u1c89\U00011f50\U0001e4f0", "𝓗𝓮𝓵𝓵𝓸 ℌ ①", "ab12 cd-34_ef \\ / \" '",
]
