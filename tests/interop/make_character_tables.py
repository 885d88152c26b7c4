"""Writes datasets/tokenizers/unicode/character_tables.cpp: which characters are letters, digits, blanks ... for a tokenizer.

A model's ids depend on the character classes of the library that its tokenizer was trained with, and those stay as they
are when a system library learns a newer Unicode. So the classes are asked of the reference itself, character by character.

Run by hand, with the PyPI package `tokenizers` and a Python whose unicodedata is of Unicode 14 (Python 3.11):
    python tests/interop/make_character_tables.py > datasets/tokenizers/unicode/character_tables.cpp
"""
import sys
import unicodedata

from tokenizers import Regex, normalizers, pre_tokenizers

assert unicodedata.unidata_version == "14.0.0", "category_changes is relative to Unicode 14"
CODES = [code for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF]
PER_CALL = 2048


def in_chunks():
    for start in range(0, len(CODES), PER_CALL):
        yield CODES[start:start + PER_CALL]


def isolated(pre_tokenizer):
    """Characters that the pre-tokenizer cuts off from letters on both sides."""
    found = set()
    for chunk in in_chunks():
        text = "q" + "q".join(map(chr, chunk)) + "q"
        found.update(ord(piece) for piece, _ in pre_tokenizer.pre_tokenize_str(text) if len(piece) == 1 and piece != "q")
    return found


def of_pattern(pattern):
    """Characters that a regular expression of one character matches."""
    found = set()
    splitter = pre_tokenizers.Split(Regex(pattern), "removed", invert=True)
    for chunk in in_chunks():
        for piece, _ in splitter.pre_tokenize_str("".join(map(chr, chunk))):
            found.update(map(ord, piece))
    return found


def word_characters():
    """Those that stay together with letters in the Whitespace pre-tokenizer."""
    pre_tokenizer = pre_tokenizers.Whitespace()
    return {code for code in CODES if len(pre_tokenizer.pre_tokenize_str("q" + chr(code) + "q")) == 1}


def removed_by(normalizer, only=None):
    return {code for code in CODES
            if (only is None or only(code)) and normalizer.normalize_str("q" + chr(code) + "q") == "qq"}


def newer_than_normalization():
    """Characters that the reference's normalisation forms do not know: they have no decomposition and no class there."""
    import unicodedata2 as newer  # of a later Unicode than any table here
    nfd, nfkd = normalizers.NFD(), normalizers.NFKD()
    found = set()
    for code in CODES:
        text = chr(code)
        for form, name in ((nfd, "NFD"), (nfkd, "NFKD")):
            if newer.normalize(name, text) != text and form.normalize_str(text) == text:
                found.add(code)
        if newer.combining(text) and newer.normalize("NFD", text) == text:
            # A mark of a lower class in front of it or behind it: one of the two orders must change.
            pairs = ["q" + text + "\u0334", "q\u0345" + text]
            if all(nfd.normalize_str(pair) == pair for pair in pairs):
                found.add(code)
    return found


def lower_changes():
    """Lower-case forms that a Unicode 14 table would not give."""
    lower = normalizers.Lowercase()
    changes = {}
    for code in CODES:
        text = chr(code)
        if lower.normalize_str(text) != text.lower():
            changes[code] = lower.normalize_str(text)
    return changes


def category_changes():
    """Code points without a meaning in Unicode 14 that regular expressions of the reference give a category."""
    changes = {}
    for category in ("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf",
                     "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co"):
        for code in of_pattern(rf"\p{{{category}}}"):
            if unicodedata.category(chr(code)) == "Cn":
                changes[code] = category
    return changes


def script_runs():
    """Runs of characters that UnicodeScripts keeps together, numbered by script; 0: fits to every neighbour."""
    pre_tokenizer = pre_tokenizers.UnicodeScripts()
    together = lambda a, b: len(pre_tokenizer.pre_tokenize_str(chr(a) + chr(b))) == 1
    representatives, runs = [], []
    for code in CODES:
        if not pre_tokenizer.pre_tokenize_str(chr(code)):
            number = 0
        elif runs and runs[-1][2] and runs[-1][1] == code - 1 and together(code - 1, code):
            number = runs[-1][2]
        else:
            number = next((i + 1 for i, known in enumerate(representatives) if together(known, code)), 0)
            if number == 0:
                representatives.append(code)
                number = len(representatives)
        if runs and runs[-1][2] == number and runs[-1][1] in (code - 1, 0xD7FF if code == 0xE000 else -1):
            runs[-1][1] = code
        else:
            runs.append([code, code, number])
    return [run for run in runs if run[2]]


def as_ranges(codes):
    ranges = []
    for code in sorted(codes):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return ranges


def wrapped(numbers):
    lines, line = [], " "
    for number in numbers:
        text = f" {number},"
        if len(line) + len(text) > 118:
            lines.append(line)
            line = " "
        line += text
    return "\n".join(lines + [line])


def write_set(name, comment, codes):
    steps, at = [], 0
    for begin, end in as_ranges(codes):
        steps += [begin - at, end + 1 - begin]
        at = end + 1
    print(f"// {comment}\nconstexpr uint32_t k{name}Steps[] = {{\n{wrapped(steps)}\n}};")
    print(f"constexpr auto k{name} = boundaries(k{name}Steps);\n")


def main():
    tab_to_blank = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=False, strip_accents=False,
                                              lowercase=False)
    no_accents = normalizers.BertNormalizer(clean_text=False, handle_chinese_chars=False, strip_accents=True,
                                            lowercase=False)
    nfd = normalizers.NFD()
    letters = "L M Nd Nl Pc".split()
    word = of_pattern(r"\w")
    print("// Made by tests/interop/make_character_tables.py; not to be edited by hand. Each list holds the lengths of the runs")
    print("// outside and inside the class in turn, from U+0000 on.\n// clang-format off")
    print('#include "datasets/tokenizers/unicode/character_tables.h"\n')
    print("#include <array>\n#include <cstddef>\n\nnamespace anneal::datasets {\nnamespace {\n")
    print("template <std::size_t kCount>\nconsteval std::array<uint32_t, kCount> boundaries(const uint32_t (&steps)[kCount]) {")
    print("  std::array<uint32_t, kCount> sums{};\n  uint32_t sum = 0;")
    print("  for (std::size_t i = 0; i < kCount; ++i) sums[i] = sum += steps[i];\n  return sums;\n}\n")
    write_set("Numeric", "Nd, Nl, No.", isolated(pre_tokenizers.Digits(individual_digits=True)))
    write_set("Punctuation", "ASCII signs and category P, of Unicode 8.", isolated(pre_tokenizers.Punctuation()))
    write_set("Word", "What \\w means where added tokens and the Whitespace pre-tokenizer look.", word_characters())
    write_set("Other", "Removed by BERT's clean_text: control, format and private-use characters, U+FFFD.",
              removed_by(tab_to_blank))
    write_set("Mark", "Removed by StripAccents: category M.", removed_by(normalizers.StripAccents()))
    write_set("NonspacingMark", "Removed by BERT's strip_accents: category Mn.",
              removed_by(no_accents, only=lambda code: nfd.normalize_str(chr(code)) == chr(code)))
    write_set("NewerThanNormalization", "Left alone by NFC, NFD, NFKC and NFKD.", newer_than_normalization())
    write_set("PatternWord", "What \\w means in a pattern beyond L, M, Nd, Nl and Pc of Unicode 14.",
              {code for code in word if not unicodedata.category(chr(code)).startswith(tuple(letters))})
    write_set("PatternAlphabetic", "What [:alpha:] means in a pattern beyond L and Nl of Unicode 14.",
              {code for code in of_pattern("[[:alpha:]]") if not unicodedata.category(chr(code)).startswith(("L", "Nl"))})

    print("// Lower-case forms beyond Unicode 14.\nconstexpr LowerCase kLowerCases[] = {")
    for code, lower in sorted(lower_changes().items()):
        if len(lower) == 1:
            print(f"  {{{code:#x}, {ord(lower):#x}}},")
    print("};\n")

    print("// Categories of code points that Unicode 14 left open.\nconstexpr CategoryRange kCategoryChanges[] = {")
    changes = category_changes()
    for begin, end in as_ranges(changes):
        while begin <= end:
            last = begin
            while last < end and changes[last + 1] == changes[begin]:
                last += 1
            print(f"  {{{begin:#x}, {last:#x}, \"{changes[begin]}\"}},")
            begin = last + 1
    print("};\n")

    runs = script_runs()
    print("// Scripts as numbers.\nconstexpr ScriptRange kScripts[] = {")
    print(wrapped(f"{{{begin:#x}, {end:#x}, {number}}}" for begin, end, number in runs))
    print("};\n\n}  // namespace\n")
    for name in ("Numeric", "Punctuation", "Word", "Other", "Mark", "NonspacingMark", "NewerThanNormalization",
                 "PatternWord", "PatternAlphabetic"):
        function = "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")
        print(f"std::span<const uint32_t> {function}_boundaries() {{ return k{name}; }}")
    print("std::span<const LowerCase> newer_lower_cases() { return kLowerCases; }")
    print("std::span<const CategoryRange> newer_categories() { return kCategoryChanges; }")
    print("std::span<const ScriptRange> script_ranges() { return kScripts; }")
    print("\n}  // namespace anneal::datasets")


if __name__ == "__main__":
    main()
