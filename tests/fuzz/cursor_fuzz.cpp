// Any bytes as what a cursor carries, signed, so that what stands behind the signature is reached;
// and as a cursor of somebody who has no secret, which is always refused. What is read can be
// written and is then read as the same.
#include <base/digest.hpp>
#include <cstdint>
#include <engine/gather/cursor.hpp>
#include <fuzz/target.hpp>
#include <sources/sandbox.hpp>

namespace {

using namespace freshet;
using namespace freshet::detail;

constexpr std::string_view identity = "news/search {\"q\":\"climate\"}";
constexpr std::string_view secret = "known here, and nowhere else";
constexpr std::size_t mac_bytes = 16;

/// The payload as the text of a cursor of ours.
std::string signed_cursor(std::string_view payload) {
  const auto text = base::base64url(payload);
  const auto digest = base::hmac_sha256(secret, text + "\n" + std::string(identity));
  return "c1." + text + "." + base::base64url(base::as_text(digest).substr(0, mac_bytes));
}

void require_same(const cursor_state& one, const cursor_state& other) {
  fuzz::require(one.given == other.given && one.block == other.block);
  fuzz::require(one.since == other.since && one.last_times == other.last_times);
  fuzz::require(one.page_size == other.page_size);
  fuzz::require(one.next == other.next && one.ended == other.ended);
}

void require_refused(const result<cursor_state>& read) {
  fuzz::require(read.has_error() && read.error().code() == errc::invalid_cursor);
  fuzz::require(read.error().parameters.size() == 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = fuzz::text_of(data, size);
  const auto now = sources::sandbox_now;
  require_refused(read_cursor(bytes, identity, secret, now));
  const auto cursor = signed_cursor(bytes);
  require_refused(read_cursor(cursor, identity, "another secret", now));
  const auto read = read_cursor(cursor, identity, secret, now);
  if (!read) {
    require_refused(read);
    return 0;
  }
  fuzz::require(read->given >= 0 && read->block >= 0 && read->page_size >= 0);
  const auto again = write_cursor(*read, identity, secret, now);
  // What a cursor carries beside its fingerprints is never cut: it came out of one that was short.
  const auto same = read_cursor(again, identity, secret, now);
  if (again.size() > max_cursor_bytes) return 0;
  fuzz::require(same.has_value());
  require_same(*read, *same);
  require_refused(read_cursor(again, "news/search {}", secret, now));
  return 0;
}
