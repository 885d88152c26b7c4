// anneal generate and chat: text from a model.

#include <iostream>
#include <string>

#include "app/tune/chat_prompt.h"
#include "app/tune/command.h"
#include "app/tune/opened_model.h"
#include "app/tune/output.h"
#include "engine/files/small_json.h"
#include "engine/generation/generator.h"

namespace anneal::tune {
namespace {

const std::set<std::string> kSamplingFlags{"--max-new-tokens", "--temperature",        "--top-p", "--top-k",
                                           "--min-p",          "--repetition-penalty", "--seed",  "--context"};

engine::GenerationOptions generation_options(const CommandLine& line, double temperature) {
  engine::GenerationOptions options;
  options.max_new_tokens = line.whole_number("--max-new-tokens").value_or(256);
  options.sampling = {.temperature = line.number("--temperature").value_or(temperature),
                      .top_k = line.whole_number("--top-k").value_or(0),
                      .top_p = line.number("--top-p").value_or(1),
                      .min_p = line.number("--min-p").value_or(0),
                      .repetition_penalty = line.number("--repetition-penalty").value_or(1),
                      .seed = static_cast<uint64_t>(line.whole_number("--seed").value_or(0))};
  const auto check = [](bool holds, const char* what) {
    if (!holds) throw UsageError(what);
  };
  check(options.max_new_tokens > 0, "--max-new-tokens must be at least 1.");
  check(options.sampling.temperature >= 0, "--temperature must be 0 (greedy) or more.");
  check(options.sampling.top_p > 0 && options.sampling.top_p <= 1, "--top-p must be above 0 and at most 1.");
  check(options.sampling.min_p >= 0 && options.sampling.min_p <= 1, "--min-p must be from 0 to 1.");
  check(options.sampling.top_k >= 0, "--top-k must be 0 (all) or more.");
  check(options.sampling.repetition_penalty > 0, "--repetition-penalty must be above 0.");
  return options;
}

// Text so far, cut at the first stop text; holds back what may still become one.
class StopTexts {
 public:
  explicit StopTexts(std::vector<std::string> stops) : stops_(std::move(stops)) {}
  // Takes new text; what may be shown is moved to `shown`. False: a stop text has come.
  bool take(const std::string& piece, std::string& shown) {
    held_ += piece;
    std::size_t first = std::string::npos;
    for (const std::string& stop : stops_) first = std::min(first, held_.find(stop));
    if (first != std::string::npos) {
      shown += held_.substr(0, first);
      held_.clear();
      return false;
    }
    std::size_t kept = 0;
    for (const std::string& stop : stops_) {
      for (std::size_t length = std::min(stop.size() - 1, held_.size()); length > kept; --length) {
        if (held_.ends_with(stop.substr(0, length))) kept = length;
      }
    }
    shown += held_.substr(0, held_.size() - kept);
    held_.erase(0, held_.size() - kept);
    return true;
  }
  std::string rest() { return std::exchange(held_, {}); }

 private:
  std::vector<std::string> stops_;
  std::string held_;
};

struct Written {
  engine::Generation generation;
  std::string text;
};

Written write(engine::Generator& generator, const ChatPrompt& chat, const std::vector<int32_t>& prompt,
              const engine::GenerationOptions& options, const std::vector<std::string>& stops, bool shows) {
  // The answer's own text: decoded behind its prompt, so that a blank at its beginning is kept.
  Written written;
  datasets::StreamDecoder decoder(chat.tokenizer(), {.skip_special_tokens = true});
  StopTexts stop_texts(stops);
  const auto show = [&](const std::string& piece) {
    std::string shown;
    const bool goes_on = stop_texts.take(piece, shown);
    written.text += shown;
    if (shows) print_text(shown);
    return goes_on;
  };
  bool is_stopped = false;
  written.generation = generator.generate(prompt, options, [&](int32_t id) {
    is_stopped = !show(decoder.append(id));
    return !is_stopped;
  });
  if (!is_stopped && !show(decoder.flush())) is_stopped = true;
  if (is_stopped) {
    written.generation.stopped = "stop_text";
  } else {
    const std::string rest = stop_texts.rest();
    written.text += rest;
    if (shows) print_text(rest);
  }
  return written;
}

int64_t context_of(const CommandLine& line, const engine::Architecture& architecture, int64_t wanted) {
  const int64_t most = line.whole_number("--context").value_or(architecture.max_positions);
  if (most < 1) throw UsageError("--context must be at least 1.");
  return std::min(most, wanted);
}

// A list of {"role","content"}, or an object that holds it as "messages".
Json read_messages(const std::string& path) {
  Json json = engine::read_small_json(path);
  if (json.is_object() && json.contains("messages")) json = Json(json["messages"]);
  if (!json.is_array() || json.empty()) {
    throw input_error(R"({}: expected a list of at least one message. Write [{{"role":"user","content":"…"}}].)", path);
  }
  return json;
}

int run_generate(const std::vector<std::string>& words) {
  FlagSet flags{.switches = {"--json"}, .values = kModelFlags, .lists = {"--stop"}};
  flags.values.insert(kSamplingFlags.begin(), kSamplingFlags.end());
  flags.values.insert({"--prompt", "--messages"});
  const CommandLine line(words, flags);
  line.expect_words(0, "flags alone");
  const bool is_chat = line.expect_one_of({"--prompt", "--messages"}) == "--messages";
  engine::GenerationOptions options = generation_options(line, 0);
  engine::ModelSource source = open_source(line);
  const ChatPrompt chat(source);
  std::vector<int32_t> prompt;
  if (is_chat) {
    prompt = chat.ids_of_messages(read_messages(line.required("--messages")));
  } else {
    prompt = chat.ids_of_text(line.required("--prompt"));
  }
  options.stop_tokens = chat.stop_tokens();
  const engine::Architecture& architecture = source.description.architecture;
  const int64_t context = context_of(line, architecture, static_cast<int64_t>(prompt.size()) + options.max_new_tokens);
  const engine::BuildOptions build = engine::generation_build(types_of(line), context, {});
  OpenedModel opened(std::move(source), build, backend_of(line));
  engine::Generator generator(opened.model());
  const bool json = line.has("--json");
  const Written written = write(generator, chat, prompt, options, line.list("--stop"), !json);
  if (json) {
    print_json({{"text", written.text},
                {"ids", written.generation.ids},
                {"tokens_per_second", written.generation.tokens_per_second},
                {"stopped", written.generation.stopped}});
  } else {
    print_line("");
  }
  return 0;
}

constexpr std::string_view kChatHelp =
    "/base and /tuned switch between the base model and the adapter, /new begins anew.";

int run_chat(const std::vector<std::string>& words) {
  FlagSet flags{.switches = {}, .values = kModelFlags, .lists = {"--stop"}};
  flags.values.insert(kSamplingFlags.begin(), kSamplingFlags.end());
  flags.values.insert("--system");
  const CommandLine line(words, flags);
  line.expect_words(0, "flags alone");
  engine::GenerationOptions options = generation_options(line, 0.7);
  engine::ModelSource source = open_source(line);
  const ChatPrompt chat(source);
  options.stop_tokens = chat.stop_tokens();
  constexpr int64_t kUsualContext = 4096;
  const int64_t context = context_of(line, source.description.architecture, kUsualContext);
  const bool has_adapter = source.adapter_folder.has_value();
  print_line(fmt::format("{}. {} An empty line or Ctrl+D ends the conversation.", source.name, kChatHelp));
  OpenedModel opened(std::move(source), engine::generation_build(types_of(line, "auto"), context, {}),
                     backend_of(line));
  engine::Generator generator(opened.model());
  Json start = Json::array();
  if (const auto system = line.value("--system")) start.push_back({{"role", "system"}, {"content", *system}});
  Json messages = start;
  for (std::string said; print_text("you> "), std::getline(std::cin, said) && !said.empty();) {
    if (said == "/new") {
      messages = start;
    } else if (said == "/base" || said == "/tuned") {
      generator.use_adapters(said == "/tuned");
      print_line(!has_adapter      ? "There is no adapter: this is the model itself."
                 : said == "/base" ? "The base model answers, without what was trained."
                                   : "The tuned model answers.");
    } else if (said.starts_with("/")) {
      print_line(std::string(kChatHelp));
    } else {
      messages.push_back({{"role", "user"}, {"content", said}});
      const Written written =
          write(generator, chat, chat.ids_of_messages(messages), options, line.list("--stop"), true);
      print_line("");
      messages.push_back({{"role", "assistant"}, {"content", written.text}});
    }
  }
  return 0;
}

}  // namespace

extern const Command kGenerate, kChat;
const Command kGenerate{
    .name = "generate",
    .summary = "text from a model",
    .usage =
        R"(anneal generate --model M [--adapter A] [--checkpoint best|last|STEP] (--prompt T | --messages FILE) [--max-new-tokens N]
                [--temperature X] [--top-p X] [--top-k N] [--min-p X] [--repetition-penalty X] [--stop T] [--seed N]
                [--precision fp32|bf16|auto] [--json]

Temperature 0 (the default) always takes the most likely token. FILE is JSON: a list of {"role","content"}.
)",
    .run = run_generate};
const Command kChat{
    .name = "chat",
    .summary = "a conversation with a model in the terminal",
    .usage =
        R"(anneal chat --model M [--adapter A] [--checkpoint best|last|STEP] [--system T] [--temperature X] [--max-new-tokens N] …

Type, and press Enter. /base and /tuned switch between the base model and the adapter, /new begins anew. An empty line
ends it. Temperature is 0.7 unless given.
)",
    .run = run_chat};

}  // namespace anneal::tune
