// anneal export: a trained model for other programs.

#include "app/tune/command.h"
#include "app/tune/opened_model.h"
#include "app/tune/output.h"
#include "engine/exports/export_list.h"
#include "engine/runs/run_record.h"

namespace anneal::tune {
namespace {

const engine::ExportFormat& format_named(const std::string& name) {
  std::string known;
  for (const engine::ExportFormat* format : engine::kExportFormats) {
    if (format->name == name) return *format;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", format->name);
  }
  if (name == "gguf" || name == "gguf-adapter")
    throw input_error("--format {} is not available in this version. Use one of: {}.", name, known);
  throw UsageError(fmt::format("--format is \"{}\", expected one of: {}.", printable(name), known));
}

std::optional<DType> dtype_named(const std::optional<std::string>& name) {
  if (!name) return std::nullopt;
  if (*name == "f32" || *name == "fp32") return DType::kF32;
  if (*name == "bf16") return DType::kBF16;
  if (*name == "f16" || *name == "fp16") return DType::kF16;
  throw UsageError(fmt::format("--dtype is \"{}\", expected f32, bf16 or f16.", printable(*name)));
}

int run_export(const std::vector<std::string>& words) {
  FlagSet flags{.switches = {"--json"}, .values = kModelFlags, .lists = {}};
  flags.values.insert({"--run", "--format", "--out", "--dtype", "--quantize"});
  const CommandLine line(words, flags);
  line.expect_words(0, "flags alone");
  if (line.value("--quantize")) throw input_error("--quantize is not available in this version. Leave it out.");
  const engine::ExportFormat& format = format_named(line.required("--format"));
  engine::ModelRequest request{.model = {},
                               .adapter = line.value("--adapter").value_or(""),
                               .checkpoint = line.value("--checkpoint").value_or("")};
  if (const auto run = line.value("--run")) {
    if (line.value("--model")) throw UsageError("--run and --model do not go together.");
    if (!engine::holds_a_run(*run))
      throw input_error("{}: holds no run. Give the folder that \"anneal train --out\" made.", *run);
    request.model = *run;
  } else {
    request.model = line.required("--model");
  }
  const engine::ModelSource source = engine::open_model(request);
  const auto backend = backend_of(line);
  const engine::ExportResult result = engine::run_export(
      format, source, {.out = line.required("--out"), .dtype = dtype_named(line.value("--dtype"))}, *backend);
  const engine::Verification& verified = result.verified;
  if (line.has("--json")) {
    Json files = Json::array();
    for (const engine::ExportedFile& file : result.files)
      files.push_back({{"path", file.path}, {"bytes", file.bytes}, {"sha256", file.sha256}});
    print_json({{"files", files},
                {"notices", result.notices},
                {"model", source.name},
                {"verified",
                 {{"positions", verified.positions},
                  {"same_top1", verified.same_top1},
                  {"max_logit_difference", verified.max_logit_difference},
                  {"pass", verified.pass}}}});
  } else {
    print_line(fmt::format("Exported {}:", source.name));
    for (const engine::ExportedFile& file : result.files)
      print_line(fmt::format("  {:>12}  {}", file.bytes, file.path));
    for (const std::string& notice : result.notices) print_line(notice);
    print_line(fmt::format(
        "Read back and compared: {} of {} first choices the same, largest difference of logits {:.3g}: {}",
        verified.same_top1, verified.positions, verified.max_logit_difference, verified.pass ? "PASS" : "FAIL"));
  }
  if (!verified.pass && !line.has("--json"))
    print_error("The export differs from the trained model. Do not use it; see the figures above.");
  return verified.pass ? 0 : 1;
}

}  // namespace

extern const Command kExport;
const Command kExport{
    .name = "export",
    .summary = "writes a trained model for other programs, and proves it",
    .usage =
        R"(anneal export (--run DIR | --model M [--adapter A]) [--checkpoint best|last|STEP] --format merged|adapter --out FOLDER
              [--dtype f32|bf16|f16] [--json]

merged: one model of base and adapter, as transformers reads it. adapter: the adapter alone, as PEFT reads it. What was
written is read back and compared with the trained model; status 1 if it differs.
)",
    .run = run_export};

}  // namespace anneal::tune
