#include <account/rules/chain.hpp>
#include <catch2/catch.hpp>

using namespace freshet;
using namespace freshet::account;

namespace {

chain_row sample_row() {
  chain_row row;
  row.seq = 7;
  row.movement = 4;
  row.book = "account:1";
  row.amount = -3;
  row.balance = 97;
  row.monthly_left = 97;
  row.kind = "usage";
  row.endpoint = "news/search";
  row.request_id = "req_1";
  row.sources = "feeds";
  row.key_id = 2;
  row.at = time_point(std::chrono::milliseconds(1'763'726'400'000));
  return row;
}

std::string hash_of(const chain_row& row) { return base::hex(base::as_text(link({}, row))); }

}  // namespace

TEST_CASE("a row's hash is part of the stored format: it never changes") {
  CHECK(hash_of(sample_row()) ==
        "b2b643c01139a8d14b6d32f594c44231dd0985ba88fe0c618409d415e64ff752");
  CHECK(base::hex(base::as_text(seal({7, 4, {}}, "pepper"))) ==
        "78e797b1bcb235520f9abee7d6ea8bbe8a458bc698fa15aefc01930cb236e33d");
}

TEST_CASE("so is the hash of a row with a number, and that of a head behind it") {
  chain_row row = sample_row();
  row.number = 2;
  CHECK(hash_of(row) == "b01a6485082bb47c4ad7137d49a4f3f9ddae871c9ad90b2a8877dac24e8fce33");
  base::sha256_digest one{};
  one[0] = 1;
  CHECK(base::hex(base::as_text(extend({}, one))) ==
        "cb592844121d926f1ca3ad4e1d6fb9d8e260ed6e3216361f7732e975a0e8bbf6");
}

TEST_CASE("texts that meet end to end hash apart, and so does each hash before") {
  chain_row a = sample_row(), b = sample_row();
  a.endpoint = "ab";
  a.request_id = "c";
  b.endpoint = "a";
  b.request_id = "bc";
  CHECK(hash_of(a) != hash_of(b));
  base::sha256_digest previous{};
  previous[31] = 1;
  CHECK(link(previous, a) != link({}, a));
}

TEST_CASE("a refund is hashed as when its entry stood where sources do") {
  chain_row refund = sample_row();
  refund.kind = "refund";
  refund.sources = {};
  refund.refund_of = "led_3";
  CHECK(hash_of(refund) == "a644db7ab609f437e1c8413e165b5c67b09b5ba3d06f189b58c81c55e3c2e254");
  // What a row of its kind has not cannot be put there unseen, nor be moved there.
  chain_row moved = refund;
  std::swap(moved.sources, moved.refund_of);
  CHECK(hash_of(moved) != hash_of(refund));
  refund.sources = "feeds";
  CHECK(hash_of(refund) != "a644db7ab609f437e1c8413e165b5c67b09b5ba3d06f189b58c81c55e3c2e254");
  chain_row usage = sample_row();
  usage.refund_of = "led_3";
  CHECK(hash_of(usage) != hash_of(sample_row()));
}
