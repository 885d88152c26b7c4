#pragma once
// gzip and zstd, unpacked while they are read. A small file that unpacks to a flood is stopped at the stated ratio and
// size; a cut or damaged one is named as that.

#include <memory>
#include <string>
#include <string_view>

#include "datasets/formats/byte_source.h"

namespace anneal::datasets {

enum class Packing { kNone, kGzip, kZstd };

Packing packing_of(std::string_view head);  // from the first bytes

// Takes over `packed`; `path` is for sentences.
std::unique_ptr<ByteSource> unpack(Packing packing, const std::string& path, const ReadLimits& limits,
                                   std::unique_ptr<ByteSource> packed);

}  // namespace anneal::datasets
