#pragma once
// A model that is read, not trained: opened by its flags, built, loaded.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/tune/command_line.h"
#include "datasets/templates/chat_template_files.h"
#include "datasets/tokenizers/tokenizer.h"
#include "engine/session/model_source.h"

namespace anneal::tune {

// The flags of every command that opens a model; add them to its set.
inline const std::set<std::string> kModelFlags{"--model",     "--adapter", "--checkpoint",
                                               "--precision", "--threads", "--device"};

engine::ModelSource open_source(const CommandLine& line);
// --precision fp32|bf16|auto (default fp32: what is read is compared).
engine::ComputeTypes types_of(const CommandLine& line, const char* fallback = "fp32");
std::unique_ptr<Backend> backend_of(const CommandLine& line);

class OpenedModel {
 public:
  // `build` says what the model is for; adapters are added as the source has them.
  OpenedModel(engine::ModelSource source, engine::BuildOptions build, std::unique_ptr<Backend> backend);
  engine::Model& model() { return **planned_; }
  engine::ModelSource& source() { return source_; }

 private:
  engine::ModelSource source_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<engine::PlannedModel> planned_;
};

// Ids given as "1,2,3", or as a JSON file with a list (of one row).
std::vector<int32_t> read_ids(const std::string& text, int64_t vocabulary);

// Rows with labels from a JSON file: a list of rows, or {"rows":[…],"labels":[…]}.
struct LabelledRows {
  std::vector<std::vector<int32_t>> ids;
  std::vector<std::vector<int32_t>> labels;
  int64_t label_tokens() const;
  int64_t tokens() const;
  int64_t longest() const;
};
LabelledRows read_rows(const std::string& path, int64_t vocabulary);

}  // namespace anneal::tune
