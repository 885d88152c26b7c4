#pragma once
// The lists behind character_classes.h, made by tests/interop/make_character_tables.py.

#include <cstdint>
#include <span>

namespace anneal::datasets {

struct LowerCase {
  uint32_t upper;
  uint32_t lower;
};
struct CategoryRange {
  uint32_t first;
  uint32_t last;
  char category[3];  // "Lu"
};
struct ScriptRange {
  uint32_t first;
  uint32_t last;
  uint32_t script;  // numbers without meaning but "the same" and "another"
};

// Sorted code points at which a class begins (even places) and ends (odd places).
std::span<const uint32_t> numeric_boundaries();
std::span<const uint32_t> punctuation_boundaries();
std::span<const uint32_t> word_boundaries();
std::span<const uint32_t> other_boundaries();
std::span<const uint32_t> mark_boundaries();
std::span<const uint32_t> nonspacing_mark_boundaries();
std::span<const uint32_t> newer_than_normalization_boundaries();
std::span<const uint32_t> pattern_word_boundaries();
std::span<const uint32_t> pattern_alphabetic_boundaries();

std::span<const LowerCase> newer_lower_cases();
std::span<const CategoryRange> newer_categories();
std::span<const ScriptRange> script_ranges();

}  // namespace anneal::datasets
