// Our own bugs, caught loudly. Bad input is never checked with these: it is a Result.
#pragma once

namespace vf {

/// Prints the failed condition with its place and aborts.
[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace vf

#define VF_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::vf::check_failed(#condition, __FILE__, __LINE__))
#ifdef NDEBUG
#define VF_DCHECK(condition) static_cast<void>(0)
#else
#define VF_DCHECK(condition) VF_CHECK(condition)
#endif
