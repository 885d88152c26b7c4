#include "datasets/formats/unpacking.h"

#include <zlib.h>
#include <zstd.h>

#include <vector>

#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{64} << 10;
// A few bytes may unpack to a lot: the ratio only says something from here on.
constexpr int64_t kRatioFromBytes = int64_t{16} << 20;

// What both ways of unpacking share: the packed bytes at hand, and the watch over what becomes of them.
class Unpacking : public ByteSource {
 public:
  Unpacking(std::string path, const ReadLimits& limits, std::unique_ptr<ByteSource> packed)
      : path_(std::move(path)), limits_(limits), packed_(std::move(packed)), piece_(kPieceBytes) {}

 protected:
  // More packed bytes are in piece_[0, count); 0 at the end.
  std::size_t refill() {
    const std::size_t count = packed_->read(piece_);
    bytes_in_ += static_cast<int64_t>(count);
    return count;
  }
  std::size_t account(std::size_t bytes) {
    bytes_out_ += static_cast<int64_t>(bytes);
    if (bytes_out_ > limits_.expanded_bytes) {
      throw input_error("{}: unpacks to more than {} bytes. Unpack it and give it in parts.", printable(path_, 400),
                        limits_.expanded_bytes);
    }
    if (bytes_out_ > kRatioFromBytes && bytes_out_ / limits_.expansion_ratio > bytes_in_) {
      throw input_error("{}: unpacks to more than {} times its size, as no text does. Look at what it holds.",
                        printable(path_, 400), limits_.expansion_ratio);
    }
    return bytes;
  }
  [[noreturn]] void fail_early() const {
    throw input_error("{}: ends early, in the middle of packed data. Copy or download it again.",
                      printable(path_, 400));
  }
  [[noreturn]] void fail_damaged(const char* why) const {
    throw input_error("{}: is damaged ({}). Copy or download it again.", printable(path_, 400), why);
  }

  std::string path_;
  ReadLimits limits_;
  std::unique_ptr<ByteSource> packed_;
  std::vector<char> piece_;
  int64_t bytes_in_ = 0;
  int64_t bytes_out_ = 0;
};

class Gzip : public Unpacking {
 public:
  using Unpacking::Unpacking;
  void begin() {
    if (inflateInit2(&state_, 15 + 16) != Z_OK) throw device_error("zlib cannot be started: out of memory.");
    is_open_ = true;
  }
  ~Gzip() override {
    if (is_open_) inflateEnd(&state_);
  }

  std::size_t read(std::span<char> into) override {
    if (is_done_ || into.empty()) return 0;
    state_.next_out = reinterpret_cast<Bytef*>(into.data());
    state_.avail_out = static_cast<uInt>(std::min(into.size(), kPieceBytes));
    const uInt wanted = state_.avail_out;
    while (state_.avail_out == wanted && !is_done_) step();
    return account(wanted - state_.avail_out);
  }

 private:
  void step() {
    if (state_.avail_in == 0) {
      state_.next_in = reinterpret_cast<Bytef*>(piece_.data());
      state_.avail_in = static_cast<uInt>(refill());
      if (state_.avail_in == 0) {
        if (!is_between_members_) fail_early();
        is_done_ = true;
        return;
      }
    }
    if (is_between_members_ && !begin_member()) return;
    const int result = inflate(&state_, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      is_between_members_ = true;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      fail_damaged(state_.msg != nullptr ? state_.msg : "not gzip");
    }
  }
  // Several members one after another are one text; zeros behind the last are padding.
  bool begin_member() {
    while (state_.avail_in > 0 && *state_.next_in == 0) {
      ++state_.next_in;
      --state_.avail_in;
    }
    if (state_.avail_in == 0) return false;
    inflateReset(&state_);
    is_between_members_ = false;
    return true;
  }

  z_stream state_{};
  bool is_open_ = false;
  bool is_between_members_ = false;
  bool is_done_ = false;
};

class Zstd : public Unpacking {
 public:
  using Unpacking::Unpacking;
  void begin() {
    state_ = ZSTD_createDStream();
    if (state_ == nullptr) throw device_error("zstd cannot be started: out of memory.");
  }
  ~Zstd() override { ZSTD_freeDStream(state_); }

  std::size_t read(std::span<char> into) override {
    if (into.empty()) return 0;
    ZSTD_outBuffer out{into.data(), std::min(into.size(), kPieceBytes), 0};
    while (out.pos == 0) {
      // What the library still holds comes out without new input, so it is asked first.
      const std::size_t before = in_.pos;
      const std::size_t result = ZSTD_decompressStream(state_, &out, &in_);
      if (ZSTD_isError(result) != 0) fail_damaged(ZSTD_getErrorName(result));
      if (in_.pos != before || out.pos > 0) is_between_frames_ = result == 0;
      if (out.pos > 0) break;
      if (in_.pos < in_.size) continue;
      in_ = ZSTD_inBuffer{piece_.data(), refill(), 0};
      if (in_.size == 0) {
        if (!is_between_frames_) fail_early();
        return 0;
      }
    }
    return account(out.pos);
  }

 private:
  ZSTD_DStream* state_ = nullptr;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool is_between_frames_ = true;
};

template <class Kind>
std::unique_ptr<ByteSource> started(std::unique_ptr<Kind> source) {
  source->begin();
  return source;
}

}  // namespace

Packing packing_of(std::string_view head) {
  if (head.starts_with("\x1F\x8B")) return Packing::kGzip;
  if (head.starts_with("\x28\xB5\x2F\xFD")) return Packing::kZstd;
  return Packing::kNone;
}

std::unique_ptr<ByteSource> unpack(Packing packing, const std::string& path, const ReadLimits& limits,
                                   std::unique_ptr<ByteSource> packed) {
  if (packing == Packing::kGzip) return started(std::make_unique<Gzip>(path, limits, std::move(packed)));
  ensure(packing == Packing::kZstd, "unpack was asked for a file that is not packed");
  return started(std::make_unique<Zstd>(path, limits, std::move(packed)));
}

}  // namespace anneal::datasets
