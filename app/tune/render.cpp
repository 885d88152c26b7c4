// anneal render: a chat through a template.

#include <chrono>
#include <fstream>
#include <sstream>

#include "app/tune/command.h"
#include "app/tune/command_line.h"
#include "app/tune/output.h"
#include "datasets/templates/chat_template_files.h"
#include "datasets/templates/conversation_rendering.h"
#include "datasets/tokenizers/loading.h"
#include "engine/files/open_file.h"
#include "engine/files/small_json.h"
#include "engine/session/model_source.h"

namespace anneal::tune {
namespace {

using Clock = std::chrono::local_time<std::chrono::microseconds>;
constexpr int64_t kTemplateBytes = 16 << 20;

// "2025-07-10T12:00Z", "2025-07-10T12:00:05", "2025-07-10".
Clock parse_time(const std::string& text) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, read = 0;
  const int fields = std::sscanf(text.c_str(), "%d-%d-%d%n", &year, &month, &day, &read);
  std::string rest = fields == 3 ? text.substr(static_cast<std::size_t>(read)) : "";
  if (!rest.empty() && (rest[0] == 'T' || rest[0] == ' ')) {
    int used = 0;
    if (std::sscanf(rest.c_str() + 1, "%d:%d%n", &hour, &minute, &used) != 2) used = -1;
    rest = used < 0 ? "?" : rest.substr(static_cast<std::size_t>(used) + 1);
    if (!rest.empty() && rest[0] == ':') {
      if (std::sscanf(rest.c_str(), ":%d%n", &second, &used) != 1) used = 0;
      rest = rest.substr(static_cast<std::size_t>(used));
    }
    if (rest == "Z") rest.clear();
  }
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (fields != 3 || !rest.empty() || !date.ok() || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 ||
      second > 60) {
    throw UsageError(fmt::format("--now is \"{}\", expected a time like 2025-07-10T12:00Z.", printable(text)));
  }
  return Clock(std::chrono::local_days(date)) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second);
}

datasets::RenderOptions render_options(const std::optional<std::string>& now) {
  datasets::RenderOptions options;
  if (now) options.now = parse_time(*now);
  return options;
}

// One answer a line; a template's refusal is an answer too.
int render_cases(const std::string& path, const std::optional<std::string>& now) {
  engine::OpenFile check(path);
  std::ifstream lines(path, std::ios::binary);
  int64_t number = 0;
  for (std::string one; std::getline(lines, one);) {
    ++number;
    if (one.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string where = fmt::format("{}:{}", path, number);
    const Json item = parse_json(one, where);
    try {
      const auto time = item.contains("now") ? std::optional(require<std::string>(item, "now", where)) : now;
      const auto chat_template =
          datasets::ChatTemplate::parse(require<std::string>(item, "template", where), "template");
      print_json(
          {{"text",
            chat_template.render(value_or<Json>(item, "context", Json::object(), where), render_options(time)).text}});
    } catch (const UsageError&) {
      throw;
    } catch (const Error& error) {
      print_json({{"error", error.what()}});
    }
  }
  return 0;
}

Json context_of(const CommandLine& line, const Json& special_tokens) {
  Json context = Json::object();
  for (const auto& [name, text] : special_tokens.items()) context[name] = text;
  if (const auto file = line.value("--context")) {
    const Json given = engine::read_small_json(*file);
    if (!given.is_object())
      throw input_error("{}: expected an object of variables. Write {{\"messages\":[…]}}.", *file);
    for (const auto& [name, value] : given.items()) context[name] = value;
  }
  if (const auto file = line.value("--messages")) {
    Json messages = engine::read_small_json(*file);
    if (messages.is_object() && messages.contains("messages")) messages = Json(messages["messages"]);
    context["messages"] = messages;
  }
  if (const auto file = line.value("--tools")) context["tools"] = engine::read_small_json(*file);
  if (line.has("--generation-prompt")) context["add_generation_prompt"] = true;
  return context;
}

// With a model: ids, and which of them training would learn.
Json with_tokens(const datasets::ChatTemplate& chat_template, const Json& context, const Json& special_tokens,
                 const std::string& folder, const datasets::RenderOptions& options) {
  const auto tokenizer = datasets::load_tokenizer(folder);
  const Json none;
  const bool is_prompt = context.value("add_generation_prompt", false) || !context.contains("messages");
  if (is_prompt) {
    const datasets::Rendering rendering = chat_template.render(context, options);
    const datasets::Encoding encoding = datasets::encode_rendered(*tokenizer, rendering.text, rendering.from_data);
    return {{"text", rendering.text}, {"ids", encoding.ids}, {"learn", std::vector<bool>(encoding.ids.size(), false)}};
  }
  Json variables = context;
  const Json messages = context.at("messages");
  const Json tools = context.value("tools", Json());
  variables.erase("messages");
  variables.erase("tools");
  const auto rendering = datasets::render_conversation(
      chat_template, {.messages = messages, .tools = tools, .variables = variables, .special_tokens = special_tokens},
      datasets::TrainOn::kAnswers, options);
  const datasets::Encoding encoding = datasets::encode_rendered(*tokenizer, rendering.text, rendering.from_data);
  std::vector<bool> learn;
  for (const datasets::Span& span : encoding.offsets) {
    bool is_learned = false;
    for (const datasets::Span& learned : rendering.learn)
      is_learned = is_learned || (span.begin < span.end && span.begin >= learned.begin && span.begin < learned.end);
    learn.push_back(is_learned);
  }
  return {{"text", rendering.text}, {"ids", encoding.ids}, {"learn", learn}};
}

int run_render(const std::vector<std::string>& words) {
  const CommandLine line(words,
                         {.switches = {"--json", "--generation-prompt"},
                          .values = {"--model", "--template", "--messages", "--tools", "--context", "--now", "--cases"},
                          .lists = {}});
  line.expect_words(0, "flags alone");
  const std::string source = line.expect_one_of({"--model", "--template", "--cases"});
  const std::string model = line.required(source);
  if (source == "--cases") {
    for (const char* flag : {"--messages", "--tools", "--context"}) {
      if (line.value(flag))
        throw UsageError(fmt::format("{} has no place beside --cases: each line says what it renders.", flag));
    }
    return render_cases(model, line.value("--now"));
  }
  const datasets::RenderOptions options = render_options(line.value("--now"));
  if (source == "--template") {
    const auto chat_template = datasets::ChatTemplate::parse(engine::read_text_file(model, kTemplateBytes), model);
    print_json({{"text", chat_template.render(context_of(line, Json::object()), options).text}});
    return 0;
  }
  const std::string folder = engine::small_files_folder(model);
  const auto files = datasets::load_chat_template(folder, line.value("--tools").has_value());
  if (!files) throw input_error("{}: the model has no chat template. Give one with --template.", folder);
  print_json(with_tokens(files->chat_template, context_of(line, files->special_tokens), files->special_tokens, folder,
                         options));
  return 0;
}

}  // namespace

extern const Command kRender;
const Command kRender{
    .name = "render",
    .summary = "a chat through its template",
    .usage =
        R"(anneal render (--model M | --template FILE) [--messages FILE] [--tools FILE] [--context FILE] [--generation-prompt]
              [--now 2025-07-10T12:00Z]
anneal render --cases FILE [--now TIME]

Prints {"text","ids","learn"} (ids and learn with a model only). --context holds any variables as a JSON object;
--messages and --tools win over it. --cases: lines of {"template","context","now"?}, one answer line each.
)",
    .run = run_render};

}  // namespace anneal::tune
