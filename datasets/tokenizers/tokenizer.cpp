#include "datasets/tokenizers/tokenizer.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace anneal::datasets {

std::string Tokenizer::decode(std::span<const Token> ids, const DecodeOptions& options) const {
  const std::unique_ptr<TextStream> stream = open_text(options);
  std::string text;
  for (const Token id : ids) text += stream->append(id);
  text += stream->flush();
  return text;
}

std::vector<Encoding> encode_batch(const Tokenizer& tokenizer, std::span<const std::string> texts,
                                   const EncodeOptions& options, int threads) {
  std::vector<Encoding> encodings(texts.size());
  std::atomic<std::size_t> next{0};
  std::mutex error_mutex;
  std::exception_ptr first_error;
  const auto work = [&] {
    for (std::size_t i = next++; i < texts.size(); i = next++) {
      try {
        encodings[i] = tokenizer.encode(texts[i], options);
      } catch (...) {
        const std::lock_guard lock(error_mutex);
        if (!first_error) first_error = std::current_exception();
        next = texts.size();
      }
    }
  };
  const std::size_t useful = std::min(texts.size(), static_cast<std::size_t>(std::max(threads, 1)));
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < useful; ++i) others.emplace_back(work);
    work();
  }
  if (first_error) std::rethrow_exception(first_error);
  return encodings;
}

Encoding encode_rendered(const Tokenizer& tokenizer, std::string_view text, std::span<const Span> literal) {
  Encoding encoding =
      tokenizer.encode(text, {.add_special_tokens = false, .parse_special_tokens = true, .literal = literal});
  const std::optional<Token> bos = tokenizer.bos();
  if (tokenizer.adds_bos() && bos && (encoding.ids.empty() || encoding.ids.front() != *bos)) {
    encoding.ids.insert(encoding.ids.begin(), *bos);
    encoding.offsets.insert(encoding.offsets.begin(), Span{});
  }
  return encoding;
}

}  // namespace anneal::datasets
