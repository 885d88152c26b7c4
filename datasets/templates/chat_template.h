#pragma once
// A model's chat template: from messages to the one text that the model reads, exactly as Python's jinja2 3.1 renders
// it in the settings of transformers: sandboxed and immutable, trim_blocks, lstrip_blocks, loop controls, {% generation
// %} blocks, raise_exception, strftime_now, and tojson without HTML escapes and with the keys in their order.
//
// A ChatTemplate is parsed once, never changes afterwards, and may be rendered by any number of threads at a time.
// A template is somebody else's program: it reaches no file and no clock but the given one, and stops at RenderLimits.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/span.h"
#include "kernels/core/json.h"

namespace anneal::datasets {

// What a render may cost at most. A template that wants more is refused with a sentence; real ones use a small part.
struct RenderLimits {
  int64_t steps = 50'000'000;            // expressions, loop rounds, and bytes copied by the kilobyte
  int depth = 120;                       // macros and recursive loops within each other
  std::size_t output_bytes = 64 << 20;   // of the rendering, and of any one text on the way
  std::size_t memory_bytes = 512 << 20;  // all values alive at a time
};

struct RenderOptions {
  // The wall clock that strftime_now reads. Unset: the machine's, in its time zone.
  std::optional<std::chrono::local_time<std::chrono::microseconds>> now = {};
  // Context variables whose texts count as the template's own: they may spell control tokens.
  std::vector<std::string> template_variables = {"bos_token", "eos_token", "pad_token", "unk_token",
                                                 "sep_token", "cls_token", "mask_token"};
  RenderLimits limits = {};
};

struct Rendering {
  std::string text;
  // Inside {% generation %} blocks. In order, apart, none empty; so is the other list.
  std::vector<Span> generated;
  // What came from the data rather than from the template: a control token's name typed in there stays ordinary text.
  // Texts carry their origin through joining, cutting, trimming, replacing and formatting; what cannot be followed
  // letter by letter (tojson, the text of a list, …) is from the data as a whole if any of its sources is. Numbers and
  // the roles of messages that are one plain word are the template's: they choose among its control tokens (<|user|>),
  // but spell none.
  std::vector<Span> from_data;
  bool has_generation_blocks = false;  // of the template, reached or not
};

namespace jinja {
struct ContextView;
struct Program;
struct RenderedParts;
}  // namespace jinja

class ChatTemplate {
 public:
  // `name` is for sentences: the file, or the model's folder. Throws Error(kInput) with the line of what is wrong, and
  // for what no chat template may do: {% include %}, {% import %}, {% extends %}.
  static ChatTemplate parse(std::string source, std::string name);

  // `context` is an object: "messages", "tools", "add_generation_prompt", "bos_token", whatever the template reads.
  // Throws Error(kInput) with the template's line where jinja2 would raise; the text of the template's own
  // raise_exception stands in the sentence.
  Rendering render(const Json& context, const RenderOptions& options = {}) const;

  const std::string& source() const;
  const std::string& name() const;
  bool has_generation_blocks() const;
  // Whether the name stands anywhere in the template as a variable ("tools", "enable_thinking", "bos_token").
  bool reads(std::string_view variable) const;

  // For datasets/templates: the rendering with the message that each part of the text belongs to.
  jinja::RenderedParts render_parts(const jinja::ContextView& context, const RenderOptions& options) const;
  // For datasets/templates: whether the text that add_generation_prompt adds is the same after any conversation.
  bool has_fixed_generation_prompt() const;

 private:
  explicit ChatTemplate(std::shared_ptr<const jinja::Program> program);
  std::shared_ptr<const jinja::Program> program_;  // shared by copies of the template; immutable
};

}  // namespace anneal::datasets
