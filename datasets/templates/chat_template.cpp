#include "datasets/templates/chat_template.h"

#include "datasets/templates/jinja/evaluator.h"
#include "datasets/templates/jinja/generation_prompt.h"
#include "datasets/templates/jinja/lexer.h"
#include "datasets/templates/jinja/parser.h"
#include "datasets/templates/jinja/scopes.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

// Real templates have some ten kilobytes. Giving out places takes a time that grows with both.
constexpr std::size_t kLargestSource = 512 << 10;
constexpr std::size_t kMostNames = 1000;

Error parse_error(const std::string& name, int line, const std::string& what) {
  return input_error("{}:{}: {}. Correct the chat template.", name, line, what);
}

void check_size(const std::string& name, const std::vector<jinja::Token>& tokens) {
  std::set<std::string_view> names;
  for (const jinja::Token& token : tokens) {
    if (token.kind == jinja::TokenKind::kName) names.insert(token.text);
    if (names.size() > kMostNames) {
      throw parse_error(name, token.line, fmt::format("the template uses more than {} names", kMostNames));
    }
  }
}

// The two lists that readers ask for.
Rendering reduced(jinja::RenderedParts parts, bool has_generation_blocks) {
  Rendering rendering;
  rendering.has_generation_blocks = has_generation_blocks;
  const auto add = [](std::vector<Span>& spans, std::size_t begin, std::size_t end) {
    if (!spans.empty() && spans.back().end == begin) {
      spans.back().end = end;
    } else {
      spans.push_back({begin, end});
    }
  };
  std::size_t begin = 0;
  for (const jinja::Stretch& stretch : parts.stretches) {
    if (stretch.mark.generated) add(rendering.generated, begin, stretch.end);
    if (stretch.mark.origin != jinja::kFromTemplate) add(rendering.from_data, begin, stretch.end);
    begin = stretch.end;
  }
  rendering.text = std::move(parts.text);
  return rendering;
}

}  // namespace

ChatTemplate::ChatTemplate(std::shared_ptr<const jinja::Program> program) : program_(std::move(program)) {}

ChatTemplate ChatTemplate::parse(std::string source, std::string name) {
  auto program = std::make_shared<jinja::Program>();
  program->name = std::move(name);
  program->source = std::move(source);
  if (program->source.size() > kLargestSource) {
    throw input_error("{}: the chat template has {} bytes, more than {}. Choose another.", program->name,
                      program->source.size(), kLargestSource);
  }
  try {
    std::vector<jinja::Token> tokens = jinja::tokenize(program->source);
    check_size(program->name, tokens);
    jinja::Parser parser(std::move(tokens));
    program->body = parser.parse();
    program->has_generation = parser.has_generation();
    jinja::give_places(*program);
    program->has_fixed_generation_prompt = jinja::has_fixed_generation_prompt(*program);
  } catch (const jinja::SyntaxFault& fault) {
    throw parse_error(program->name, fault.line(), fault.what());
  }
  return ChatTemplate(std::move(program));
}

Rendering ChatTemplate::render(const Json& context, const RenderOptions& options) const {
  if (!context.is_object()) throw input_error("{}: the context is no JSON object. Give an object.", name());
  jinja::ContextView view;
  view.variables.push_back(&context);
  return reduced(render_parts(view, options), program_->has_generation);
}

jinja::RenderedParts ChatTemplate::render_parts(const jinja::ContextView& context, const RenderOptions& options) const {
  jinja::Evaluator evaluator(*program_, context, options);
  try {
    return evaluator.run();
  } catch (const jinja::Failure& failure) {
    if (failure.raised_by_template()) {
      throw input_error("{}:{}: the chat template refuses: {}. Change the conversation or the template.", name(),
                        evaluator.line(), printable(failure.what(), 500));
    }
    throw input_error("{}:{}: {}. Check the conversation against the chat template.", name(), evaluator.line(),
                      failure.what());
  }
}

const std::string& ChatTemplate::source() const { return program_->source; }
const std::string& ChatTemplate::name() const { return program_->name; }
bool ChatTemplate::has_generation_blocks() const { return program_->has_generation; }
bool ChatTemplate::has_fixed_generation_prompt() const { return program_->has_fixed_generation_prompt; }
bool ChatTemplate::reads(std::string_view variable) const { return program_->variables.contains(variable); }

}  // namespace anneal::datasets
