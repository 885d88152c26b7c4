// One model of base and adapter, as a Hugging Face folder.

#include <algorithm>
#include <cmath>

#include "engine/exports/export_list.h"
#include "engine/exports/verification.h"
#include "engine/files/small_json.h"
#include "engine/files/weight_folder_writer.h"
#include "engine/model/weights.h"
#include "engine/runs/run_record.h"
#include "engine/session/run_folder.h"

namespace anneal::engine {
namespace {

constexpr int64_t kTemplateBytes = 16 << 20;

struct Adapted {
  const Parameter* a = nullptr;
  const Parameter* b = nullptr;
};

Adapted adapter_of(Model& model, const std::string& weight) {
  constexpr std::string_view kEnd = ".weight";
  const std::string module = "base_model.model." + weight.substr(0, weight.size() - kEnd.size());
  Adapted found;
  for (const Parameter* parameter : adapter_parameters(model)) {
    if (parameter->name == module + ".lora_A.weight") found.a = parameter;
    if (parameter->name == module + ".lora_B.weight") found.b = parameter;
  }
  return found;
}

// How much of the change the rounding took: Σ|(written − the base written so) − ΔW| against Σ|ΔW|.
struct RoundingLoss {
  double change = 0;
  double lost = 0;
  double share() const { return change > 0 ? std::min(1.0, lost / change) : 0; }
};

float rounded(float value, DType dtype) {
  switch (dtype) {
    case DType::kBF16:
      return static_cast<float>(BFloat16(value));
    case DType::kF16:
      return static_cast<float>(Float16(value));
    default:
      return value;
  }
}

// W + s B A in FP32 from the base's own numbers, rounded once by the writer.
std::vector<float> merged_values(const Parameter& weight, const Adapted& adapter, double scale, DType dtype,
                                 RoundingLoss& loss) {
  const float* base = weight.value.as<float>();
  std::vector<float> values(base, base + weight.elements());
  if (adapter.a == nullptr || adapter.b == nullptr) return values;
  const int64_t rank = adapter.a->shape[0];
  const int64_t columns = weight.shape[1];
  const float* a = adapter.a->value.as<float>();
  const float* b = adapter.b->value.as<float>();
  std::vector<double> change(static_cast<std::size_t>(columns));
  for (int64_t row = 0; row < weight.shape[0]; ++row) {
    std::fill(change.begin(), change.end(), 0.0);
    for (int64_t r = 0; r < rank; ++r) {
      const double factor = scale * double(b[row * rank + r]);
      for (int64_t column = 0; column < columns; ++column)
        change[static_cast<std::size_t>(column)] += factor * double(a[r * columns + column]);
    }
    for (int64_t column = 0; column < columns; ++column) {
      float& value = values[static_cast<std::size_t>(row * columns + column)];
      const float before = value;
      value = static_cast<float>(double(before) + change[static_cast<std::size_t>(column)]);
      loss.change += std::abs(change[static_cast<std::size_t>(column)]);
      const double written = double(rounded(value, dtype)) - double(rounded(before, dtype));
      loss.lost += std::abs(written - change[static_cast<std::size_t>(column)]);
    }
  }
  return values;
}

void write_values(WeightFolderWriter& writer, const std::string& name, const std::vector<float>& values, DType dtype) {
  const auto count = static_cast<int64_t>(values.size());
  if (dtype == DType::kF32) {
    writer.write(name, values.data(), count * 4);
    return;
  }
  std::vector<uint16_t> narrow(values.size());
  std::transform(values.begin(), values.end(), narrow.begin(),
                 [&](float value) { return dtype == DType::kBF16 ? BFloat16(value).bits : Float16(value).bits; });
  writer.write(name, narrow.data(), count * 2);
}

RoundingLoss write_weights(Model& model, const ModelSource& source, const std::filesystem::path& out, DType dtype) {
  std::vector<TensorSpec> specs;
  const auto weights = weight_parameters(model);
  for (const Parameter* parameter : weights) specs.push_back({parameter->name, dtype, parameter->shape});
  WeightFolderWriter writer(out.string(), specs);
  RoundingLoss loss;
  const double scale = source.adapter_folder ? source.adapter.options.scale() : 0;
  for (const Parameter* parameter : weights) {
    write_values(writer, parameter->name,
                 merged_values(*parameter, adapter_of(model, parameter->name), scale, dtype, loss), dtype);
  }
  writer.finish();
  return loss;
}

// The text of a folder's one chat template; empty if it has none, or several by name.
std::string chat_template_text(const std::filesystem::path& folder) {
  const std::filesystem::path jinja = folder / "chat_template.jinja";
  if (std::filesystem::exists(jinja)) return read_text_file(jinja.string(), kTemplateBytes);
  const std::filesystem::path config = folder / "tokenizer_config.json";
  if (!std::filesystem::exists(config)) return {};
  const Json json = read_small_json(config.string());
  const auto found = json.is_object() ? json.find("chat_template") : json.end();
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// The template that training used, in both places where programs look: some read one, some the other.
void write_chat_template(const ModelSource& source, const std::filesystem::path& out) {
  const std::string text = chat_template_text(source.template_folder);
  if (text.empty()) return;
  write_text_durably((out / "chat_template.jinja").string(), text);
  const std::filesystem::path tokenizer = out / "tokenizer_config.json";
  Json json = std::filesystem::exists(tokenizer) ? read_small_json(tokenizer.string()) : Json::object();
  if (json.value("chat_template", Json()) == text) return;
  json["chat_template"] = text;
  write_text_durably(tokenizer.string(), json.dump(2) + "\n");
}

// The base's files byte for byte; config.json changes in its element type and whether the head is tied, and only where
// it must.
void write_config(const ModelSource& source, const std::filesystem::path& config, DType dtype) {
  Json json = read_small_json(config.string());
  const Json before = json;
  const std::string name(config_name_of(dtype));
  const bool has_new_key = json.contains("dtype");
  if (has_new_key) json["dtype"] = name;
  if (!has_new_key || json.contains("torch_dtype")) json["torch_dtype"] = name;
  if (json.value("tie_word_embeddings", false) != source.description.architecture.tie_word_embeddings)
    json["tie_word_embeddings"] = source.description.architecture.tie_word_embeddings;
  if (json != before) write_text_durably(config.string(), json.dump(2) + "\n");
}

void write_small_files(const ModelSource& source, const std::filesystem::path& out, DType dtype) {
  copy_base_files(source.base_folder, out);
  write_config(source, out / "config.json", dtype);
  write_chat_template(source, out);
}

ExportResult export_merged(const ModelSource& source, const ExportRequest& request, Backend& backend) {
  const Architecture& architecture = source.description.architecture;
  const DType dtype = request.dtype.value_or(source.description.dtype);
  ExportResult result;
  ProbeLogits trained;
  RoundingLoss loss;
  {
    PlannedModel model(architecture, probe_build(architecture, inference_plan(source)), backend);
    load_model(*model, source);
    trained = probe(*model);
    loss = write_weights(*model, source, request.out, dtype);
  }
  write_small_files(source, request.out, dtype);
  const ModelDescription written = read_model_folder(request.out.string());
  PlannedModel model(written.architecture, probe_build(written.architecture, {}), backend);
  load_weights(*model, written.weights);
  const bool is_wide = dtype == DType::kF32;
  // 16-bit weights differ in the third digit, and the first choice among nearly equal ones may change.
  result.verified = is_wide ? compare(trained, probe(*model), 1e-4, 0.98) : compare(trained, probe(*model), 0.05, 0.9);
  constexpr double kMuch = 0.5;
  if (loss.share() > kMuch) {
    result.notices.push_back(fmt::format(
        "Rounding to {} lost {:.0f} % of what was trained: the merged model answers more like the base. Export "
        "with --dtype f32, or keep the adapter apart.",
        name_of(dtype), 100 * loss.share()));
  }
  return result;
}

}  // namespace

const ExportFormat kMergedExport{"merged", "one model of base and adapter, as a Hugging Face folder", export_merged};

}  // namespace anneal::engine
