// Steps that change each text by itself.

#include <optional>

#include "datasets/tokenizers/decoders/text_sinks.h"
#include "datasets/tokenizers/patterns/text_pattern.h"
#include "datasets/tokenizers/pre_tokenizers/metaspace.h"
#include "datasets/tokenizers/unicode/utf8.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::size_t at = text.find(from);
  if (at == std::string::npos) return;
  std::string result;
  std::size_t copied = 0;
  for (; at != std::string::npos; at = text.find(from, copied)) {
    result.append(text, copied, at - copied).append(to);
    copied = at + from.size();
  }
  text = result.append(text, copied);
}

// What a tokenizer of words leaves between them in English.
void clean_up_word(std::string& text) {
  constexpr std::string_view kPairs[][2] = {{" .", "."},   {" ?", "?"},     {" !", "!"},    {" ,", ","},
                                            {" ' ", "'"},  {" n't", "n't"}, {" 'm", "'m"},  {" do not", " don't"},
                                            {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
  for (const auto& [from, to] : kPairs) replace_all(text, from, to);
}

class ReplaceSink : public WholeTextSink {
 public:
  ReplaceSink(TextSink& next, const TextPattern& pattern, const std::string& content)
      : WholeTextSink(next), pattern_(pattern), content_(content) {}
  void text(std::string& whole) override {
    std::string result;
    std::size_t copied = 0;
    pattern_.for_each_match(whole, [&](std::size_t begin, std::size_t end) {
      result.append(whole, copied, begin - copied);
      result += content_;
      copied = end;
    });
    result.append(whole, copied);
    pass_on(result);
  }

 private:
  const TextPattern& pattern_;
  const std::string& content_;
};

class ReplaceStep : public DecoderStep {
 public:
  ReplaceStep(TextPattern pattern, std::string content) : pattern_(std::move(pattern)), content_(std::move(content)) {}
  std::unique_ptr<TextSink> open(TextSink& next) const override {
    return std::make_unique<ReplaceSink>(next, pattern_, content_);
  }

 private:
  TextPattern pattern_;
  std::string content_;
};

class MetaspaceSink : public WholeTextSink {
 public:
  MetaspaceSink(TextSink& next, const MetaspaceOptions& options) : WholeTextSink(next), options_(options) {}
  void text(std::string& whole) override {
    const bool drops = is_first_ && options_.prepend != PrependScheme::kNever;
    replace_all(whole, options_.replacement, drops ? "" : " ");
    is_first_ = false;
    pass_on(whole);
  }

 private:
  MetaspaceOptions options_;
  bool is_first_ = true;
};

class WordPieceSink : public WholeTextSink {
 public:
  WordPieceSink(TextSink& next, const std::string& prefix, bool cleanup)
      : WholeTextSink(next), prefix_(prefix), cleanup_(cleanup) {}
  void text(std::string& whole) override {
    if (!is_first_) {
      if (whole.starts_with(prefix_)) {
        whole.erase(0, prefix_.size());
      } else {
        whole.insert(0, " ");
      }
    }
    is_first_ = false;
    if (cleanup_) clean_up_word(whole);
    pass_on(whole);
  }

 private:
  std::string prefix_;
  bool cleanup_;
  bool is_first_ = true;
};

// A word's end is a blank, but not that of the last word; so each text waits for the next.
class BpeSink : public WholeTextSink {
 public:
  BpeSink(TextSink& next, const std::string& suffix) : WholeTextSink(next), suffix_(suffix) {}
  void text(std::string& whole) override {
    put_waiting(" ");
    waiting_ = whole;
  }
  void end_of_list() override {
    put_waiting("");
    next_.end_of_list();
  }

 private:
  void put_waiting(std::string_view word_end) {
    if (!waiting_) return;
    if (!suffix_.empty()) replace_all(*waiting_, suffix_, word_end);
    pass_on(*waiting_);
    waiting_.reset();
  }

  std::string suffix_;
  std::optional<std::string> waiting_;
};

struct CtcOptions {
  std::string pad_token;
  std::string word_delimiter_token;
  bool cleanup;
};

// The output of a speech model: repeated tokens count once, the padding between them not at all.
class CtcSink : public WholeTextSink {
 public:
  CtcSink(TextSink& next, const CtcOptions& options) : WholeTextSink(next), options_(options) {}
  void text(std::string& whole) override {
    if (last_ == whole) return;
    last_ = whole;
    if (!options_.pad_token.empty()) replace_all(whole, options_.pad_token, "");
    if (options_.cleanup) {
      clean_up_word(whole);
      if (!options_.word_delimiter_token.empty()) replace_all(whole, options_.word_delimiter_token, " ");
    }
    if (!whole.empty()) pass_on(whole);
  }

 private:
  CtcOptions options_;
  std::optional<std::string> last_;
};

}  // namespace

std::unique_ptr<DecoderStep> read_replace_decoder(const Json& description, const std::string& where) {
  TextPattern pattern = TextPattern::read(value_or<Json>(description, "pattern", Json(), where), where);
  return std::make_unique<ReplaceStep>(std::move(pattern), require<std::string>(description, "content", where));
}

std::unique_ptr<DecoderStep> read_metaspace_decoder(const Json& description, const std::string& where) {
  return step_with<MetaspaceSink>(read_metaspace_options(description, where));
}

std::unique_ptr<DecoderStep> read_word_piece_decoder(const Json& description, const std::string& where) {
  return step_with<WordPieceSink>(require<std::string>(description, "prefix", where),
                                  value_or<bool>(description, "cleanup", true, where));
}

std::unique_ptr<DecoderStep> read_bpe_decoder(const Json& description, const std::string& where) {
  return step_with<BpeSink>(require<std::string>(description, "suffix", where));
}

std::unique_ptr<DecoderStep> read_ctc_decoder(const Json& description, const std::string& where) {
  return step_with<CtcSink>(
      CtcOptions{.pad_token = require<std::string>(description, "pad_token", where),
                 .word_delimiter_token = require<std::string>(description, "word_delimiter_token", where),
                 .cleanup = value_or<bool>(description, "cleanup", true, where)});
}

}  // namespace anneal::datasets
