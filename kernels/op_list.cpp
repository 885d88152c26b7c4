#include "kernels/op_list.h"

namespace anneal {

std::string_view op_name(int index) {
#define ANNEAL_NAME(Args, gradient) #Args,
  static constexpr std::string_view kNames[] = {ANNEAL_FOR_EACH_OP(ANNEAL_NAME)};
#undef ANNEAL_NAME
  return kNames[index];
}

double operations_of(int index, const void* args) {
  using Entry = double (*)(const void*);
#define ANNEAL_ENTRY(Args, gradient) [](const void* a) { return static_cast<const Args*>(a)->operations(); },
  static constexpr Entry kTable[] = {ANNEAL_FOR_EACH_OP(ANNEAL_ENTRY)};
#undef ANNEAL_ENTRY
  return kTable[index](args);
}

}  // namespace anneal
