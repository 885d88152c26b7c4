#pragma once
// Every format that is known, in the order in which they are tried: the first whose required roles find their columns
// is taken. Adding one: a file like alpaca.cpp with its Format, and a line in each of the two lists.

#include <array>

#include "datasets/formats/format.h"

namespace anneal::datasets {

const Format& tokens_format();
const Format& openai_preference_format();
const Format& preference_format();
const Format& kto_format();
const Format& openai_format();
const Format& sharegpt_format();
const Format& alpaca_format();
const Format& prompt_completion_format();
const Format& question_answer_format();
const Format& classification_format();
const Format& text_format();

inline const std::array kFormats = {
    &tokens_format,             // {"input_ids", "labels"}
    &openai_preference_format,  // {"input", "preferred_output", "non_preferred_output"}
    &preference_format,         // {"prompt", "chosen", "rejected"}
    &kto_format,                // {"prompt", "completion", "label": true}
    &openai_format,             // {"messages": [{"role", "content"}]}
    &sharegpt_format,           // {"conversations": [{"from", "value"}]}
    &alpaca_format,             // {"instruction", "input", "output"}
    &prompt_completion_format,  // {"prompt", "completion"}: exact text
    &question_answer_format,    // {"question", "answer"}: a turn each
    &classification_format,     // {"text", "label"}
    &text_format,               // {"text"}
};

}  // namespace anneal::datasets
