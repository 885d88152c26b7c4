#include "datasets/tokenizers/decoding.h"

#include <utility>

#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

// The end of the chain: all texts become one.
class OutputSink : public TextSink {
 public:
  void part(std::string_view text) override { output_ += text; }
  void end_of_text() override {}
  void end_of_list() override {}
  std::string take() { return std::exchange(output_, {}); }

 private:
  std::string output_;
};

class Decoding : public TextStream {
 public:
  Decoding(const DecoderSteps& steps, bool clean_up, std::function<std::optional<std::string_view>(Token)> text_of)
      : text_of_(std::move(text_of)) {
    first_ = &output_;
    if (clean_up) {
      put_in_front(*(owned_steps_.emplace_back(make_clean_up())));
      put_in_front(*(owned_steps_.emplace_back(make_fuse())));
    }
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) put_in_front(**step);
  }

  std::string append(Token id) override {
    ensure(!is_flushed_, "a token was appended to a text that had ended");
    if (const auto text = text_of_(id)) {
      first_->part(*text);
      first_->end_of_text();
    }
    return output_.take();
  }
  std::string flush() override {
    if (!is_flushed_) first_->end_of_list();
    is_flushed_ = true;
    return output_.take();
  }

 private:
  void put_in_front(const DecoderStep& step) {
    sinks_.push_back(step.open(*first_));
    first_ = sinks_.back().get();
  }

  std::function<std::optional<std::string_view>(Token)> text_of_;
  OutputSink output_;
  DecoderSteps owned_steps_;
  std::vector<std::unique_ptr<TextSink>> sinks_;
  TextSink* first_;
  bool is_flushed_ = false;
};

}  // namespace

std::unique_ptr<TextStream> open_decoding(const DecoderSteps& steps, bool clean_up,
                                          std::function<std::optional<std::string_view>(Token)> text_of) {
  return std::make_unique<Decoding>(steps, clean_up, std::move(text_of));
}

}  // namespace anneal::datasets
