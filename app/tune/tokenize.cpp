// anneal tokenize: text to ids and back.

#include <fstream>
#include <iostream>

#include "app/tune/command.h"
#include "app/tune/command_line.h"
#include "app/tune/output.h"
#include "datasets/tokenizers/loading.h"
#include "engine/files/open_file.h"
#include "engine/session/model_source.h"

namespace anneal::tune {
namespace {

Json encoded(const datasets::Tokenizer& tokenizer, const std::string& text, const datasets::EncodeOptions& options) {
  const datasets::Encoding encoding = tokenizer.encode(text, options);
  return {{"ids", encoding.ids}, {"decoded", tokenizer.decode(encoding.ids)}};
}

// One answer line for each line of {"text":…}.
void print_encoded_lines(const datasets::Tokenizer& tokenizer, const std::string& path,
                         const datasets::EncodeOptions& options) {
  engine::OpenFile check(path);  // a sentence for what cannot be read
  std::ifstream lines(path, std::ios::binary);
  int64_t number = 0;
  for (std::string one; std::getline(lines, one);) {
    ++number;
    if (one.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string where = fmt::format("{}:{}", path, number);
    print_json(encoded(tokenizer, require<std::string>(parse_json(one, where), "text", where), options));
  }
}

int run_tokenize(const std::vector<std::string>& words) {
  const CommandLine line(words, {.switches = {"--json", "--no-special", "--parse-special"},
                                 .values = {"--model", "--text", "--file", "--jsonl"},
                                 .lists = {}});
  line.expect_words(0, "flags alone");
  const std::string what = line.expect_one_of({"--text", "--file", "--jsonl"});
  const std::string given = line.required(what);
  const auto tokenizer = datasets::load_tokenizer(engine::small_files_folder(line.required("--model")));
  const datasets::EncodeOptions options{.add_special_tokens = !line.has("--no-special"),
                                        .parse_special_tokens = line.has("--parse-special")};
  if (what == "--text") {
    print_json(encoded(*tokenizer, given, options));
  } else if (what == "--file") {
    constexpr int64_t kLimit = int64_t{1} << 30;
    print_json(encoded(*tokenizer, engine::read_text_file(given, kLimit), options));
  } else {
    print_encoded_lines(*tokenizer, given, options);
  }
  return 0;
}

}  // namespace

extern const Command kTokenize;
const Command kTokenize{
    .name = "tokenize",
    .summary = "text to token ids and back",
    .usage =
        R"(anneal tokenize --model M (--text T | --file F | --jsonl F) [--no-special] [--parse-special]

M may also be a folder with tokenizer files alone. --jsonl: lines of {"text":...}, one answer line each. Control tokens
that are typed stay ordinary text unless --parse-special is given; --no-special adds no begin or end token.
Prints {"ids":[...],"decoded":...}.
)",
    .run = run_tokenize};

}  // namespace anneal::tune
