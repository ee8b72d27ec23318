// The replaced operator new. The library's own threads are known by their blocked signals, so that
// the threads of a test's server are left in peace.
#include "capi/failing_new.hpp"

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace freshet::test {
namespace {

std::atomic<bool> armed = false;
std::atomic<bool> onwards = false;
std::atomic<std::uint64_t> count = 0, fails_at = 0, failures = 0;
thread_local bool armed_here = false;

bool is_of_the_library() noexcept {
  thread_local int known = -1;
  if (known < 0) {
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    known = sigismember(&blocked, SIGTERM);
  }
  return known == 1;
}

bool fails_now() noexcept {
  if (!armed || (!armed_here && !is_of_the_library())) return false;
  const auto number = ++count;
  const auto at = fails_at.load();
  if (number < at || (number > at && !onwards)) return false;
  ++failures;
  return true;
}

void* allocate(std::size_t size, std::size_t alignment) noexcept {
  if (fails_now()) return nullptr;
  if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return std::malloc(size == 0 ? 1 : size);
  void* made = nullptr;
  return posix_memalign(&made, alignment, size == 0 ? 1 : size) == 0 ? made : nullptr;
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  if (void* made = allocate(size, alignment)) return made;
  throw std::bad_alloc();
}

}  // namespace

void arm(failing how, std::uint64_t n) {
  onwards = how == failing::onwards;
  fails_at = n;
  count = failures = 0;
  armed_here = true;
  armed = true;
}

bool disarm() {
  armed = false;
  armed_here = false;
  return failures > 0;
}

std::uint64_t allocations() { return count; }

}  // namespace freshet::test

using freshet::test::allocate;
using freshet::test::allocate_or_throw;

constexpr std::size_t plain = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

void* operator new(std::size_t size) { return allocate_or_throw(size, plain); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, plain); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, plain);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, plain);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
