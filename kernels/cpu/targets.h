#pragma once
// Compiles the current file once for each instruction set that the program knows: AVX-512, AVX2 and a plain one for
// everything older. The file names itself in HWY_TARGET_INCLUDE, includes this, then kernels/cpu/vectors-inl.h, and
// puts its loops between HWY_BEFORE_NAMESPACE() and HWY_AFTER_NAMESPACE(). What is picked at run time is
// HWY_DYNAMIC_DISPATCH(function). Threads and checks stay outside of those loops.

// Two instruction sets between plain and AVX2 would double the compile time for processors of before 2013.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)

#include <hwy/foreach_target.h>
#include <hwy/highway.h>
