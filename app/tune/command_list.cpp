// Every subcommand, in the order of the overview. A new one: its file, and a line here.

#include "app/tune/command.h"

namespace anneal::tune {

extern const Command kTrain, kResume, kPlan, kControl, kData, kTokenize, kRender, kLogits, kGrads, kEval, kGenerate,
    kChat, kExport, kModel, kModels, kRuns, kQueue, kDevices, kBench;

const std::vector<const Command*>& commands() {
  static const std::vector<const Command*> list{&kTrain,  &kResume, &kPlan,  &kControl, &kData,  &kEval,   &kGenerate,
                                                &kChat,   &kExport, &kRuns,  &kQueue,   &kModel, &kModels, &kTokenize,
                                                &kRender, &kLogits, &kGrads, &kDevices, &kBench};
  return list;
}

}  // namespace anneal::tune
