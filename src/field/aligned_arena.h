// Scratch memory for registers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "base/check.h"

namespace vf {

/// Floats from a cache line on, that only grow. Contents do not outlive growth.
class AlignedArena {
 public:
  float* need(std::size_t floats) {
    if (floats > capacity_) {
      std::free(data_);
      capacity_ = (floats + 15) / 16 * 16;
      data_ = static_cast<float*>(std::aligned_alloc(64, capacity_ * sizeof(float)));
      VF_CHECK(data_ != nullptr);
      // Padding lanes are computed and thrown away; they must not be wild.
      std::fill_n(data_, capacity_, 0.0F);
    }
    return data_;
  }
  AlignedArena() = default;
  ~AlignedArena() { std::free(data_); }
  AlignedArena(const AlignedArena&) = delete;
  AlignedArena& operator=(const AlignedArena&) = delete;

 private:
  float* data_ = nullptr;
  std::size_t capacity_ = 0;
};

}  // namespace vf
