#pragma once
// Numbers below FP32's normal range are taken as zero while an op runs: without this, attention's backward met so many
// of them that it took 1.75 times as long.

#include <immintrin.h>

namespace anneal::cpu {

inline void flush_denormals() {
  _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
  _MM_SET_DENORMALS_ZERO_MODE(_MM_DENORMALS_ZERO_ON);
}

// For one thread, whose mode is put back: the caller's thread is not ours.
class DenormalsFlushed {
 public:
  DenormalsFlushed() : saved_(_mm_getcsr()) { flush_denormals(); }
  ~DenormalsFlushed() { _mm_setcsr(saved_); }
  DenormalsFlushed(const DenormalsFlushed&) = delete;
  DenormalsFlushed& operator=(const DenormalsFlushed&) = delete;

 private:
  unsigned saved_;
};

}  // namespace anneal::cpu
