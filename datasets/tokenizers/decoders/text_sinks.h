#pragma once
// Common forms of a decoder's steps.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "datasets/tokenizers/decoders/decoder.h"

namespace anneal::datasets {

// Gathers each text and hands it to text() whole.
class WholeTextSink : public TextSink {
 public:
  explicit WholeTextSink(TextSink& next) : next_(next) {}
  void part(std::string_view text) final { gathered_ += text; }
  void end_of_text() final {
    text(gathered_);
    gathered_.clear();
  }
  void end_of_list() override { next_.end_of_list(); }

 protected:
  virtual void text(std::string& whole) = 0;  // may change it
  void pass_on(std::string_view whole) {
    next_.part(whole);
    next_.end_of_text();
  }
  TextSink& next_;

 private:
  std::string gathered_;
};

// A step whose sink is made by a function.
class StepOf : public DecoderStep {
 public:
  using Open = std::function<std::unique_ptr<TextSink>(TextSink& next)>;
  explicit StepOf(Open open) : open_(std::move(open)) {}
  std::unique_ptr<TextSink> open(TextSink& next) const override { return open_(next); }

 private:
  Open open_;
};

template <class Sink, class... Options>
std::unique_ptr<DecoderStep> step_with(Options... options) {
  return std::make_unique<StepOf>([=](TextSink& next) { return std::make_unique<Sink>(next, options...); });
}

}  // namespace anneal::datasets
