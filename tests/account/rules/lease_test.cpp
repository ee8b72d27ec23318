// How much of what is free one server may have.
#include <account/rules/lease.hpp>
#include <catch2/catch.hpp>

using freshet::account::lease_size;

TEST_CASE("a server alone has all that is free, beside others a little more than it needs") {
  struct row {
    std::int64_t free, needed;
    bool has_peers;
    std::int64_t size;
    std::int64_t ahead = 64;
  };
  const row one = GENERATE(row{1000, 1, false, 1000}, row{1000, 2000, false, 1000},
                           row{0, 1, false, 0}, row{1000, 1, true, 64}, row{100, 1, true, 12},
                           row{100, 40, true, 40}, row{7, 0, true, 0}, row{7, 3, true, 3},
                           row{2, 5, true, 2}, row{-4, 5, true, 0}, row{1000, -3, true, 64},
                           row{1000, 1, true, 125, 512}, row{100'000, 1, true, 512, 512});
  INFO(one.free << " free, " << one.needed << " needed");
  CHECK(lease_size(one.free, one.needed, one.has_peers, one.ahead) == one.size);
}
