// Memory that a thread keeps for what it makes next.
#include <array>
#include <base/kept_blocks.hpp>
#include <base/sanitizers.hpp>
#include <catch2/catch.hpp>
#include <memory>
#include <set>
#include <thread>
#include <vector>

using freshet::base::kept_block_allocator;
using freshet::base::kept_blocks;

namespace {

struct large {
  std::array<char, 3000> bytes{};
};

}  // namespace

TEST_CASE("what a thread gives back it gets again, and never twice at a time") {
  using blocks = kept_blocks<3001>;
  constexpr std::size_t many = 600;  // more than are kept
  for (int round = 0; round < 3; ++round) {
    std::set<void*> taken;
    while (taken.size() < many) {
      void* const one = blocks::take();
      REQUIRE(one != nullptr);
      REQUIRE(taken.insert(one).second);
    }
    for (void* const one : taken) blocks::give(one);
  }
  if (freshet::base::watches_addresses) return;
  void* const last = blocks::take();
  blocks::give(last);
  CHECK(blocks::take() == last);
  blocks::give(last);
}

TEST_CASE("objects may go on another thread than that which has made them") {
  std::vector<std::shared_ptr<large>> made;
  for (int i = 0; i < 100; ++i) {
    made.push_back(std::allocate_shared<large>(kept_block_allocator<large>()));
    made.back()->bytes.fill(static_cast<char>(i));
  }
  std::thread other([&] {
    for (int i = 0; i < 100; ++i) CHECK(made[static_cast<std::size_t>(i)]->bytes[7] == i);
    made.clear();
    for (int i = 0; i < 100; ++i)
      made.push_back(std::allocate_shared<large>(kept_block_allocator<large>()));
  });
  other.join();
  CHECK(made.size() == 100);
}
