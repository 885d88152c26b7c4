// Steps that care for what stands between the texts.

#include "datasets/tokenizers/decoders/text_sinks.h"
#include "datasets/tokenizers/unicode/utf8.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

// All texts become one.
class FuseSink : public TextSink {
 public:
  explicit FuseSink(TextSink& next) : next_(next) {}
  void part(std::string_view text) override { next_.part(text); }
  void end_of_text() override {}
  void end_of_list() override {
    next_.end_of_text();
    next_.end_of_list();
  }

 private:
  TextSink& next_;
};

class JoinWithBlanksSink : public TextSink {
 public:
  explicit JoinWithBlanksSink(TextSink& next) : next_(next) {}
  void part(std::string_view text) override {
    if (!text_began_ && !is_first_) next_.part(" ");
    text_began_ = true;
    next_.part(text);
  }
  void end_of_text() override {
    if (!text_began_) part("");
    is_first_ = text_began_ = false;
    next_.end_of_text();
  }
  void end_of_list() override { next_.end_of_list(); }

 private:
  TextSink& next_;
  bool is_first_ = true;
  bool text_began_ = false;
};

// Takes up to `start` of a character from the front of each text and up to `stop` from its back.
class StripSink : public TextSink {
 public:
  StripSink(TextSink& next, char32_t content, std::size_t start, std::size_t stop)
      : next_(next), start_(start), stop_(stop) {
    append_character(content_, content);
  }

  void part(std::string_view text) override {
    while (in_front_ && taken_ < start_ && text.starts_with(content_)) {
      text.remove_prefix(content_.size());
      ++taken_;
    }
    if (text.empty()) return;
    in_front_ = false;
    // The last ones may be at the back; those before them are not.
    std::size_t end = text.size();
    std::size_t at_back = 0;
    while (text.substr(0, end).ends_with(content_)) {
      end -= content_.size();
      ++at_back;
    }
    if (end > 0) {
      put_held(0);
      next_.part(text.substr(0, end));
    }
    held_ += at_back;
    put_held(stop_);
  }
  void end_of_text() override {
    held_ = held_ > stop_ ? held_ - stop_ : 0;
    put_held(0);
    in_front_ = true;
    taken_ = 0;
    next_.end_of_text();
  }
  void end_of_list() override { next_.end_of_list(); }

 private:
  void put_held(std::size_t keep) {
    for (; held_ > keep; --held_) next_.part(content_);
  }

  TextSink& next_;
  std::string content_;
  std::size_t start_;
  std::size_t stop_;
  bool in_front_ = true;
  std::size_t taken_ = 0;
  std::size_t held_ = 0;  // of the character, seen but not passed on
};

}  // namespace

std::unique_ptr<DecoderStep> make_fuse() { return step_with<FuseSink>(); }
std::unique_ptr<DecoderStep> make_join_with_blanks() { return step_with<JoinWithBlanksSink>(); }
std::unique_ptr<DecoderStep> make_strip_decoder(char32_t content, std::size_t start, std::size_t stop) {
  return step_with<StripSink>(content, start, stop);
}

std::unique_ptr<DecoderStep> read_strip_decoder(const Json& description, const std::string& where) {
  const auto content = require<std::string>(description, "content", where);
  if (content.empty() || character_size(content[0]) != content.size()) {
    throw input_error("{}: \"content\" is \"{}\", expected one character. Get another copy of the file.", where,
                      printable(content));
  }
  const auto start = require<int64_t>(description, "start", where);
  const auto stop = require<int64_t>(description, "stop", where);
  if (start < 0 || stop < 0) {
    throw input_error("{}: \"start\" or \"stop\" is below 0. Get another copy of the file.", where);
  }
  return make_strip_decoder(character_at(content, 0).code, static_cast<std::size_t>(start),
                            static_cast<std::size_t>(stop));
}

}  // namespace anneal::datasets
