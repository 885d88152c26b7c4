#include "datasets/formats/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "datasets/formats/unpacking.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

class PlainFile : public ByteSource {
 public:
  explicit PlainFile(const std::string& path) : path_(path), descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) {
      throw input_error("{}: cannot be opened ({}). Check the path and its permissions.", printable(path, 400),
                        std::strerror(errno));
    }
  }
  ~PlainFile() override { close(descriptor_); }

  std::size_t read(std::span<char> into) override {
    for (;;) {
      const ssize_t count = ::read(descriptor_, into.data(), into.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) throw input_error("{}: cannot be read ({}).", printable(path_, 400), std::strerror(errno));
    }
  }

 private:
  std::string path_;
  int descriptor_;
};

// Gives back what was read to look at the beginning, then the rest.
class Rejoined : public ByteSource {
 public:
  Rejoined(std::string head, std::unique_ptr<ByteSource> rest) : head_(std::move(head)), rest_(std::move(rest)) {}
  std::size_t read(std::span<char> into) override {
    if (given_ == head_.size()) return rest_->read(into);
    const std::size_t count = std::min(into.size(), head_.size() - given_);
    std::memcpy(into.data(), head_.data() + given_, count);
    given_ += count;
    return count;
  }

 private:
  std::string head_;
  std::size_t given_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

std::string read_head(ByteSource& source, std::size_t size) {
  std::string head(size, '\0');
  std::size_t filled = 0;
  while (filled < size) {
    const std::size_t count = source.read(std::span<char>(head.data() + filled, size - filled));
    if (count == 0) break;
    filled += count;
  }
  head.resize(filled);
  return head;
}

void check_is_regular(const std::string& path) {
  struct stat state{};
  if (stat(path.c_str(), &state) != 0) {
    throw input_error("{}: cannot be opened ({}). Check the path and its permissions.", printable(path, 400),
                      std::strerror(errno));
  }
  if (!S_ISREG(state.st_mode)) {
    throw input_error("{}: is no file that can be read twice. Give the path of an ordinary file.",
                      printable(path, 400));
  }
}

struct ForeignKind {
  std::string_view beginning;
  std::string_view sentence;
};
using namespace std::string_view_literals;
constexpr std::array kForeignKinds = {
    ForeignKind{"PK\x03\x04"sv, "is a zip archive or an Excel workbook. Unpack it, or save the sheet as CSV (UTF-8)."},
    ForeignKind{"PAR1"sv, "is a Parquet file, which is not read. Convert it to JSON Lines."},
    ForeignKind{"ARROW1"sv, "is an Arrow file, which is not read. Convert it to JSON Lines."},
    ForeignKind{"\xD0\xCF\x11\xE0"sv, "is an old Office document. Save it as CSV (UTF-8) or plain text."},
    ForeignKind{"%PDF"sv, "is a PDF document. Save its text as a .txt file."},
    ForeignKind{"{\\rtf"sv, "is a rich text document. Save it as plain text (UTF-8)."},
    ForeignKind{"SQLite format 3"sv, "is an SQLite database. Export the table as CSV or JSON Lines."},
    ForeignKind{"\x89HDF"sv, "is an HDF5 file, which is not read. Convert it to JSON Lines."},
    ForeignKind{"BZh"sv, "is packed with bzip2, which is not read. Unpack it, or pack it with gzip or zstd."},
    ForeignKind{"\xFD"
                "7zXZ"sv,
                "is packed with xz, which is not read. Unpack it, or pack it with gzip or zstd."},
    ForeignKind{"7z\xBC\xAF"sv, "is a 7-Zip archive. Unpack it first."},
    ForeignKind{"version https://git-lfs"sv,
                "is a Git LFS pointer and not the data itself. Fetch the file with `git lfs pull`."},
    ForeignKind{"<!DOCTYPE html"sv, "is a web page and not the data itself. Download the raw file."},
    ForeignKind{"<!doctype html"sv, "is a web page and not the data itself. Download the raw file."},
    ForeignKind{"<html"sv, "is a web page and not the data itself. Download the raw file."},
};

}  // namespace

std::string foreign_kind(std::string_view head) {
  for (const ForeignKind& kind : kForeignKinds) {
    if (head.starts_with(kind.beginning)) return std::string(kind.sentence);
  }
  return {};
}

std::unique_ptr<ByteSource> open_bytes(const std::string& path, const ReadLimits& limits) {
  check_is_regular(path);
  std::unique_ptr<ByteSource> file = std::make_unique<PlainFile>(path);
  std::string head = read_head(*file, 64);
  const Packing packing = packing_of(head);
  std::unique_ptr<ByteSource> source = std::make_unique<Rejoined>(std::move(head), std::move(file));
  if (packing != Packing::kNone) {
    source = unpack(packing, path, limits, std::move(source));
    head = read_head(*source, 64);
    source = std::make_unique<Rejoined>(head, std::move(source));
  } else {
    head = read_head(*source, 64);
    source = std::make_unique<Rejoined>(head, std::move(source));
  }
  if (const std::string kind = foreign_kind(head); !kind.empty()) {
    throw input_error("{}: {}", printable(path, 400), kind);
  }
  return source;
}

}  // namespace anneal::datasets
