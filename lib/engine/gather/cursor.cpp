// "c1." base64url(JSON) "." base64url(first 16 bytes of an HMAC over the text before and the query
// identity). Nothing in it is secret; it only must not be changed.
#include "engine/gather/cursor.hpp"

#include <base/digest.hpp>
#include <base/json.hpp>
#include <bit>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <limits>

namespace freshet::detail {
namespace {

namespace json = boost::json;

constexpr std::string_view version_mark = "c1.";
constexpr std::size_t mac_bytes = 16;
constexpr std::int64_t max_count = std::numeric_limits<std::int32_t>::max();

std::string mac_of(std::string_view payload, std::string_view identity, std::string_view secret) {
  std::string signed_text(payload);
  signed_text += '\n';
  signed_text += identity;
  const auto digest = base::hmac_sha256(secret, signed_text);
  return std::string(base::as_text(digest).substr(0, mac_bytes));
}

std::int64_t millis(time_point at) { return at.time_since_epoch().count(); }

time_point from_millis(std::int64_t ms) { return time_point(std::chrono::milliseconds(ms)); }

std::string pack(const std::vector<std::uint32_t>& fingerprints, std::size_t keep) {
  std::string bytes;
  for (std::size_t i = fingerprints.size() - keep; i < fingerprints.size(); ++i) {
    for (int shift = 0; shift < 32; shift += 8) {
      bytes += static_cast<char>((fingerprints[i] >> shift) & 0xff);
    }
  }
  return base::base64url(bytes);
}

std::vector<std::uint32_t> unpack(std::string_view text) {
  std::vector<std::uint32_t> fingerprints;
  const auto bytes = base::base64url_decode(text);
  if (!bytes) return fingerprints;
  for (std::size_t i = 0; i + 4 <= bytes->size(); i += 4) {
    std::uint32_t one = 0;
    for (int k = 3; k >= 0; --k) {
      one = (one << 8) | static_cast<unsigned char>((*bytes)[i + static_cast<std::size_t>(k)]);
    }
    fingerprints.push_back(one);
  }
  return fingerprints;
}

std::string encode(const cursor_state& state, std::size_t keep, std::string_view identity,
                   std::string_view secret, time_point now) {
  json::object payload;
  payload["t"] = millis(now);
  if (state.given != 0) payload["n"] = state.given;
  if (state.since) payload["s"] = millis(*state.since);
  if (!state.last_times.empty()) {
    json::object last;
    for (const auto& [part, at] : state.last_times) last[part] = millis(at);
    payload["w"] = std::move(last);
  }
  if (state.block != 0) payload["k"] = state.block;
  if (state.page_size != 0) payload["l"] = state.page_size;
  if (!state.next.empty()) {
    json::object next;
    for (const auto& [branch, position] : state.next) next[branch] = position;
    payload["b"] = std::move(next);
  }
  if (!state.ended.empty()) {
    json::array ended;
    for (const auto& branch : state.ended) ended.emplace_back(branch);
    payload["e"] = std::move(ended);
  }
  if (!state.marks.empty()) {
    json::object marks;
    for (const auto& [branch, mark] : state.marks)
      marks[branch] = json::array{mark.pages, mark.position};
    payload["m"] = std::move(marks);
  }
  if (keep != 0) payload["f"] = pack(state.fingerprints, keep);
  const auto text = base::base64url(json::serialize(payload));
  return std::string(version_mark) + text + "." + base::base64url(mac_of(text, identity, secret));
}

error bad_cursor(std::string detail) {
  error bad(errc::invalid_cursor, "cursor: " + detail + "; start again without it");
  bad.parameters.push_back({"/cursor", "invalid_format", detail});
  return bad;
}

}  // namespace

std::uint32_t fingerprint(std::string_view identity) noexcept {
  std::uint64_t hash = 14695981039346656037ull;  // FNV-1a: short, and nobody gains by a collision
  for (const char c : identity) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  }
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

void page_mark::pass(std::string_view left) noexcept {
  if (pages == max_count) return;
  ++pages;
  if (std::has_single_bit(static_cast<std::uint64_t>(pages))) position = fingerprint(left);
}

bool page_mark::is_at(std::string_view other) const noexcept {
  return pages > 0 && position == fingerprint(other);
}

std::string write_cursor(const cursor_state& state, std::string_view identity,
                         std::string_view secret, time_point now) {
  auto keep = std::min(state.fingerprints.size(), max_fingerprints);
  auto text = encode(state, keep, identity, secret, now);
  while (text.size() > max_cursor_bytes && keep > 0) {
    keep -= std::min<std::size_t>(keep, 100);
    text = encode(state, keep, identity, secret, now);
  }
  return text;
}

result<cursor_state> read_cursor(std::string_view cursor, std::string_view identity,
                                 std::string_view secret, time_point now) {
  if (cursor.size() > max_cursor_bytes || !cursor.starts_with(version_mark)) {
    return bad_cursor(
        "this is no cursor of ours; give page.next_cursor as the answer before has it");
  }
  const auto body = cursor.substr(version_mark.size());
  const auto dot = body.find('.');
  if (dot == std::string_view::npos) return bad_cursor("it was cut");
  const auto payload = body.substr(0, dot);
  const auto mac = base::base64url_decode(body.substr(dot + 1));
  if (!mac || !base::equal_in_constant_time(*mac, mac_of(payload, identity, secret))) {
    return bad_cursor("it was changed or belongs to another endpoint or query");
  }
  const auto text = base::base64url_decode(payload);
  const auto parsed =
      text ? base::parse_json(*text) : result<json::value>(bad_cursor("unreadable"));
  if (!parsed) return bad_cursor("it cannot be read");
  const auto issued = base::integer_of(base::member(*parsed, "t")).value_or(0);
  if (from_millis(issued) < now - cursor_lifetime) return bad_cursor("it has expired");
  cursor_state state;
  state.given = base::integer_of(base::member(*parsed, "n")).value_or(0);
  state.block = base::integer_of(base::member(*parsed, "k")).value_or(0);
  state.page_size = base::integer_of(base::member(*parsed, "l")).value_or(0);
  for (const auto count : {state.given, state.block, state.page_size}) {
    if (count < 0 || count > max_count) return bad_cursor("it cannot be read");
  }
  if (const auto ms = base::integer_of(base::member(*parsed, "s"))) state.since = from_millis(*ms);
  for (const auto& [part, at] : base::object_of(base::member(*parsed, "w"))) {
    if (const auto ms = base::integer_of(at)) state.last_times[part] = from_millis(*ms);
  }
  for (const auto& [branch, position] : base::object_of(base::member(*parsed, "b"))) {
    state.next[std::string(branch)] = base::text_of(position);
  }
  for (const auto& branch : base::array_of(base::member(*parsed, "e"))) {
    state.ended.insert(base::text_of(branch));
  }
  for (const auto& [branch, mark] : base::object_of(base::member(*parsed, "m"))) {
    const auto& parts = base::array_of(mark);
    const auto pages = parts.size() == 2 ? base::integer_of(parts[0]).value_or(0) : 0;
    if (pages <= 0 || pages > max_count) return bad_cursor("it cannot be read");
    const auto position = static_cast<std::uint32_t>(base::integer_of(parts[1]).value_or(0));
    state.marks[std::string(branch)] = {pages, position};
  }
  state.fingerprints = unpack(base::view_of(base::member(*parsed, "f")));
  return state;
}

}  // namespace freshet::detail
