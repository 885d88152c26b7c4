// anneal devices: what this machine computes with.

#include "app/tune/command.h"
#include "app/tune/command_line.h"
#include "app/tune/output.h"
#include "engine/session/memory_use.h"
#include "kernels/cpu/cpu.h"

namespace anneal::tune {
namespace {

int run_devices(const std::vector<std::string>& words) {
  const CommandLine line(words, {.switches = {"--json"}, .values = {}, .lists = {}});
  line.expect_words(0, "flags alone");
  const CpuFacts cpu = cpu_facts();
  const Json processor{{"name", cpu.processor},
                       {"kind", "cpu"},
                       {"memory", engine::total_memory_bytes()},
                       {"free", engine::free_memory_bytes()},
                       {"state", "on"},
                       {"reason", ""},
                       {"cores", cpu.cores},
                       {"instruction_set", cpu.instruction_set},
                       {"precisions", cpu.has_bf16_products ? Json{"fp32", "bf16"}
                                                            : Json{"fp32", "bf16 (rounded values, FP32 products)"}}};
  const Json cards{{"name", "NVIDIA cards"},
                   {"kind", "cuda"},
                   {"memory", 0},
                   {"free", 0},
                   {"state", "off"},
                   {"reason", "This version computes on the processor only."}};
  for (const Json& device : {processor, cards}) {
    if (line.has("--json")) {
      print_json(device);
    } else {
      print_line(fmt::format("{}  {}  {}", device["name"].get<std::string>(), device["state"].get<std::string>(),
                             device["reason"].get<std::string>()));
      if (device["kind"] == "cpu")
        print_line(fmt::format("  {} cores, {}, {:.1f} of {:.1f} GB free", cpu.cores, cpu.instruction_set,
                               double(engine::free_memory_bytes()) / 1e9, double(engine::total_memory_bytes()) / 1e9));
    }
  }
  return 0;
}

}  // namespace

extern const Command kDevices;
const Command kDevices{.name = "devices",
                       .summary = "what this machine computes with",
                       .usage =
                           R"(anneal devices [--json]

One line per device: its memory, whether it is used, and why not.
)",
                       .run = run_devices};

}  // namespace anneal::tune
