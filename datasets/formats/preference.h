#pragma once
// What the formats with a prompt and judged answers share.

#include "datasets/conversation.h"
#include "datasets/formats/format.h"

namespace anneal::datasets {

// The prompt of a row: a conversation, an instruction with its input, a question, or an exact text. Empty text if the
// row has none of them.
TextOrMessages read_prompt(const RowFields& fields);

// Makes both the same alternative (a text beside messages becomes a message), and takes the prompt's messages off the
// beginning of an answer that repeats them.
void fit_together(TextOrMessages& prompt, TextOrMessages& answer);

}  // namespace anneal::datasets
