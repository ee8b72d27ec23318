// Memory for objects of one type that come and go all the time on the same threads: a thread keeps
// some of what it was given back for what it makes next. Larger ones are else looked for, and their
// neighbours joined, each time, and what is found lies in no cache of the processor any more.
#pragma once

#include <algorithm>
#include <base/sanitizers.hpp>
#include <cstddef>
#include <new>
#include <utility>

namespace freshet::base {

/// Blocks of so many bytes; any thread may give back what another has taken. Where an address
/// sanitizer watches nothing is kept, so that it sees what is used too late.
template <std::size_t bytes>
class kept_blocks {
 public:
  [[nodiscard]] static void* take() {
    kept& own = of_thread();
    if (own.first == nullptr) return ::operator new(size);
    --own.count;
    return std::exchange(own.first, own.first->next);
  }
  static void give(void* block) noexcept {
    kept& own = of_thread();
    if (own.is_gone || own.count == most) return ::operator delete(block);
    ++own.count;
    own.first = new (block) link{own.first};
  }

 private:
  /// So many calls wait for one commit under load.
  static constexpr std::size_t most = watches_addresses ? 0 : 256;
  struct link {
    link* next;
  };
  static constexpr std::size_t size = std::max(bytes, sizeof(link));
  struct kept {
    link* first = nullptr;
    std::size_t count = 0;
    bool is_gone = false;  ///< the thread ends, and others of its objects may come back yet
    ~kept() {
      is_gone = true;
      while (first != nullptr) ::operator delete(std::exchange(first, first->next));
    }
  };
  static kept& of_thread() {
    thread_local kept own;
    return own;
  }
};

/// For std::allocate_shared.
template <class T>
struct kept_block_allocator {
  using value_type = T;
  static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

  kept_block_allocator() = default;
  template <class Other>
  explicit(false) kept_block_allocator(const kept_block_allocator<Other>&) noexcept {}

  [[nodiscard]] T* allocate(std::size_t count) {
    if (count != 1) return static_cast<T*>(::operator new(count * sizeof(T)));
    return static_cast<T*>(kept_blocks<sizeof(T)>::take());
  }
  void deallocate(T* block, std::size_t count) noexcept {
    count == 1 ? kept_blocks<sizeof(T)>::give(block) : ::operator delete(block);
  }
  friend bool operator==(const kept_block_allocator&, const kept_block_allocator&) = default;
};

}  // namespace freshet::base
