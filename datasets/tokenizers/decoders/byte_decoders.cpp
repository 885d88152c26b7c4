// Steps for vocabularies whose tokens are bytes: characters appear when their last byte has come.

#include <vector>

#include "datasets/tokenizers/decoders/text_sinks.h"
#include "datasets/tokenizers/unicode/byte_alphabet.h"
#include "datasets/tokenizers/unicode/utf8.h"

namespace anneal::datasets {
namespace {

// All texts become one. Bytes that are no UTF-8 become U+FFFD, one for each run that could have begun a character.
class ByteLevelSink : public WholeTextSink {
 public:
  using WholeTextSink::WholeTextSink;

  void text(std::string& whole) override {
    append_bytes_of(whole);
    std::string out;
    std::size_t at = 0;
    while (at < bytes_.size()) {
      const Utf8Start start = utf8_start(bytes_, at);
      if (start.needs_more) break;
      out += start.size > 0 ? std::string_view(bytes_).substr(at, start.size) : kReplacementCharacter;
      at += start.size > 0 ? start.size : start.broken_size;
    }
    bytes_.erase(0, at);
    next_.part(out);
  }
  void end_of_list() override {
    if (!bytes_.empty()) next_.part(kReplacementCharacter);
    next_.end_of_text();
    next_.end_of_list();
  }

 private:
  // A text with a character outside the alphabet, such as an added token, stands for itself.
  void append_bytes_of(std::string_view whole) {
    const std::size_t before = bytes_.size();
    bool is_spelt = true;
    for_each_character(whole, [&](char32_t code, std::size_t, std::size_t) {
      const int byte = byte_of(code);
      is_spelt = is_spelt && byte != kNoByte;
      if (is_spelt) bytes_ += static_cast<char>(byte);
    });
    if (is_spelt) return;
    bytes_.resize(before);
    bytes_ += whole;
  }

  std::string bytes_;  // not yet whole
};

// "<0xE2>" is a byte. A run of them is a text if it is UTF-8 as a whole, else each byte is U+FFFD; so a run is held
// back until it ends.
class ByteFallbackSink : public WholeTextSink {
 public:
  using WholeTextSink::WholeTextSink;

  void text(std::string& whole) override {
    const int byte = byte_in(whole);
    if (byte != kNoByte) {
      bytes_ += static_cast<char>(byte);
      return;
    }
    flush();
    pass_on(whole);
  }
  void end_of_list() override {
    flush();
    next_.end_of_list();
  }

 private:
  static int byte_in(std::string_view text) {
    if (text.size() != 6 || !text.starts_with("<0x") || text[5] != '>') return kNoByte;
    // "<0x+A>" counts too, as the reference's number parser has it.
    int value = 0;
    for (std::size_t i = text[3] == '+' ? 4 : 3; i < 5; ++i) {
      const char c = text[i];
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return kNoByte;
      value = value * 16 + digit;
    }
    return value;
  }
  void flush() {
    if (bytes_.empty()) return;
    if (is_valid_utf8(bytes_)) {
      pass_on(bytes_);
    } else {
      for (std::size_t i = 0; i < bytes_.size(); ++i) pass_on(kReplacementCharacter);
    }
    bytes_.clear();
  }

  std::string bytes_;
};

}  // namespace

std::unique_ptr<DecoderStep> make_byte_level_decoder() { return step_with<ByteLevelSink>(); }
std::unique_ptr<DecoderStep> make_byte_fallback_decoder() { return step_with<ByteFallbackSink>(); }

}  // namespace anneal::datasets
