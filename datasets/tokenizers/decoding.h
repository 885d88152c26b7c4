#pragma once
// Runs ids through a decoder's steps.

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "datasets/tokenizers/decoders/decoder.h"
#include "datasets/tokenizers/tokenizer.h"

namespace anneal::datasets {

// text_of gives each id's text, nothing for one to be left out. The steps outlive the stream.
std::unique_ptr<TextStream> open_decoding(const DecoderSteps& steps, bool clean_up,
                                          std::function<std::optional<std::string_view>(Token)> text_of);

}  // namespace anneal::datasets
