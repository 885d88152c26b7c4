// The kinds of "decoder" in tokenizer.json.

#include "datasets/tokenizers/decoders/decoder.h"
#include "datasets/tokenizers/read_kind.h"

namespace anneal::datasets {
namespace {

template <std::unique_ptr<DecoderStep> (*kMake)()>
std::unique_ptr<DecoderStep> plain(const Json&, const std::string&) {
  return kMake();
}

void read_steps(const Json& description, const std::string& where, DecoderSteps& into) {
  if (description.is_null()) return;
  if (require<std::string>(description, "type", where) == "Sequence") {
    for_each_member(description, "decoders", where,
                    [&](const Json& step, const std::string& step_where) { read_steps(step, step_where, into); });
    return;
  }
  static const KindList<DecoderStep> kinds = {
      {"BPEDecoder", read_bpe_decoder},
      {"ByteFallback", plain<make_byte_fallback_decoder>},
      {"ByteLevel", plain<make_byte_level_decoder>},
      {"CTC", read_ctc_decoder},
      {"Fuse", plain<make_fuse>},
      {"Metaspace", read_metaspace_decoder},
      {"Replace", read_replace_decoder},
      {"Strip", read_strip_decoder},
      {"WordPiece", read_word_piece_decoder},
  };
  into.push_back(read_kind(kinds, description, where));
}

}  // namespace

DecoderSteps read_decoder(const Json& description, const std::string& where) {
  DecoderSteps steps;
  if (description.is_null()) {
    steps.push_back(make_join_with_blanks());
  } else {
    read_steps(description, where, steps);
  }
  return steps;
}

}  // namespace anneal::datasets
