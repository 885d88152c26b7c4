#include <array>
#include <utility>
#include <vector>

#include "datasets/tokenizers/decoders/text_sinks.h"

namespace anneal::datasets {
namespace {

// Replaces one text by another in a text that comes in parts; holds back what may be the beginning of a match.
class StreamReplaceSink : public TextSink {
 public:
  StreamReplaceSink(TextSink& next, std::string_view from, std::string_view to) : next_(next), from_(from), to_(to) {}

  void part(std::string_view text) override {
    held_ += text;
    std::string out;
    std::size_t done = 0;
    for (std::size_t at = held_.find(from_); at != std::string::npos; at = held_.find(from_, done)) {
      out.append(held_, done, at - done).append(to_);
      done = at + from_.size();
    }
    std::size_t keep = std::min(from_.size() - 1, held_.size() - done);
    while (!from_.starts_with(std::string_view(held_).substr(held_.size() - keep))) --keep;
    out.append(held_, done, held_.size() - keep - done);
    held_.erase(0, held_.size() - keep);
    next_.part(out);
  }
  void end_of_text() override {
    next_.part(held_);
    held_.clear();
    next_.end_of_text();
  }
  void end_of_list() override { next_.end_of_list(); }

 private:
  TextSink& next_;
  std::string_view from_;
  std::string_view to_;
  std::string held_;
};

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kReplacements = {{{" .", "."},
                                                                                          {" ?", "?"},
                                                                                          {" !", "!"},
                                                                                          {" ,", ","},
                                                                                          {" ' ", "'"},
                                                                                          {" n't", "n't"},
                                                                                          {" 'm", "'m"},
                                                                                          {" 's", "'s"},
                                                                                          {" 've", "'ve"},
                                                                                          {" 're", "'re"}}};

// One after the other, each over the result of the one before.
class CleanUpSink : public TextSink {
 public:
  explicit CleanUpSink(TextSink& next) {
    TextSink* behind = &next;
    for (auto pair = kReplacements.rbegin(); pair != kReplacements.rend(); ++pair) {
      sinks_.push_back(std::make_unique<StreamReplaceSink>(*behind, pair->first, pair->second));
      behind = sinks_.back().get();
    }
  }
  void part(std::string_view text) override { sinks_.back()->part(text); }
  void end_of_text() override { sinks_.back()->end_of_text(); }
  void end_of_list() override { sinks_.back()->end_of_list(); }

 private:
  std::vector<std::unique_ptr<TextSink>> sinks_;  // the last is the first in line
};

}  // namespace

std::unique_ptr<DecoderStep> make_clean_up() { return step_with<CleanUpSink>(); }

}  // namespace anneal::datasets
