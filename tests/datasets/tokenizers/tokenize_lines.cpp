// For tests/interop/tokenizers_differential.py: encodes lines of JSON and prints what came out, offsets too.
//   tokenize_lines FOLDER < requests.jsonl
// A request: {"text", "add_special_tokens", "parse_special_tokens", "skip_special_tokens", "clean_up"}; an answer:
// {"ids", "offsets", "decoded", "streamed"}, or {"error"}.

#include <fmt/format.h>

#include <iostream>
#include <string>

#include "datasets/tokenizers/loading.h"
#include "kernels/core/error.h"
#include "kernels/core/json.h"

namespace {

using namespace anneal;
using namespace anneal::datasets;

Json answer(const Tokenizer& tokenizer, const Json& request) {
  const Encoding encoding =
      tokenizer.encode(request["text"].get<std::string>(),
                       {.add_special_tokens = value_or<bool>(request, "add_special_tokens", true, "request"),
                        .parse_special_tokens = value_or<bool>(request, "parse_special_tokens", true, "request")});
  DecodeOptions options{.skip_special_tokens = value_or<bool>(request, "skip_special_tokens", false, "request")};
  if (request.contains("clean_up")) options.clean_up = request["clean_up"].get<bool>();
  Json offsets = Json::array();
  for (const Span& span : encoding.offsets) offsets.push_back({span.begin, span.end});
  StreamDecoder decoder(tokenizer, options);
  std::string streamed;
  for (const Token id : encoding.ids) streamed += decoder.append(id);
  streamed += decoder.flush();
  return {{"ids", encoding.ids},
          {"offsets", offsets},
          {"decoded", tokenizer.decode(encoding.ids, options)},
          {"streamed", streamed}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "tokenize_lines FOLDER < requests.jsonl\n";
    return 2;
  }
  std::unique_ptr<Tokenizer> tokenizer;
  try {
    tokenizer = load_tokenizer(argv[1]);
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  for (std::string line; std::getline(std::cin, line);) {
    Json result;
    try {
      result = answer(*tokenizer, parse_json(line, "request"));
    } catch (const Error& error) {
      result = {{"error", error.what()}};
    }
    std::cout << to_text(result) << '\n';
  }
  return 0;
}
