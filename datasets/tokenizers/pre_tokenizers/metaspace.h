#pragma once
// What a Metaspace says, as a pre-tokenizer and as a decoder.

#include <string>

#include "kernels/core/json.h"

namespace anneal::datasets {

enum class PrependScheme { kAlways, kFirst, kNever };

struct MetaspaceOptions {
  std::string replacement;  // one character
  PrependScheme prepend = PrependScheme::kAlways;
  bool split = true;
};

// Throws Error(kInput).
MetaspaceOptions read_metaspace_options(const Json& description, const std::string& where);

}  // namespace anneal::datasets
