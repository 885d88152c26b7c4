#pragma once
// What kind of character a code point is, as the reference tokenizer library sees it. The answers are part of a model's
// tokenizer, so they come from lists of our own and do not change with the system's Unicode version.

#include <cstdint>
#include <string_view>

namespace anneal::datasets {

bool is_white_space(char32_t code);      // the White_Space property
bool is_numeric(char32_t code);          // Nd, Nl, No
bool is_punctuation(char32_t code);      // ASCII signs and P
bool is_word_character(char32_t code);   // \w: letters, marks, digits, connectors
bool is_other(char32_t code);            // what BERT's clean_text removes: control, format, private use, U+0000, U+FFFD
bool is_mark(char32_t code);             // M
bool is_nonspacing_mark(char32_t code);  // Mn
bool is_cjk_ideograph(char32_t code);    // BERT's blocks of Chinese characters

// 0: a character that fits to every script, such as a blank.
uint32_t script_of(char32_t code);

// Of one character; U+0130 alone has a second one, U+0307, which the caller adds.
char32_t lower_case_of(char32_t code);

}  // namespace anneal::datasets
