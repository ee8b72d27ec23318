// Which store it is, and what both make of numbers and chunks.
#include "requests/request_store.hpp"

#include <algorithm>
#include <base/ids.hpp>
#include <limits>
#include <requests/call_numbers.hpp>
#include <requests/postgres/postgres_request_store.hpp>
#include <requests/sqlite/sqlite_request_store.hpp>
#include <utility>

namespace freshet::requests {

bool is_found_by_time(std::string_view request_id, time_point ended) noexcept {
  const auto began = base::time_of_id("req_", request_id);
  return began && *began <= ended && ended - *began < longest_way - std::chrono::minutes(1);
}

std::unique_ptr<request_store> request_store::make(
    std::string database, store_limits limits, std::shared_ptr<postgres::read_replica> replica) {
  if (postgres::is_url(database))
    return std::make_unique<postgres_request_store>(std::move(database), limits,
                                                    std::move(replica));
  return std::make_unique<sqlite_request_store>(std::move(database), limits);
}

std::int64_t first_number(time_point at) noexcept {
  constexpr auto most = std::numeric_limits<std::int64_t>::max() >> count_bits;
  return std::clamp<std::int64_t>(at.time_since_epoch().count(), 0, most) << count_bits;
}

std::vector<call_record> calls_of(std::int64_t last, std::int64_t count, std::string_view packed) {
  std::vector<call_record> calls;
  call_record one;
  while (std::cmp_less(calls.size(), count) && unpack_call(packed, one)) {
    one.number = last - count + 1 + static_cast<std::int64_t>(calls.size());
    calls.push_back(std::move(one));
  }
  return calls;
}

named_calls names_of(const chunk& one, std::int64_t last, bool names_all) {
  named_calls names;
  if (names_all) {
    for (auto& each : calls_of(last, one.calls, one.packed)) {
      names.emplace_back(each.number, std::move(each.request_id));
    }
    return names;
  }
  const auto first = last - one.calls + 1;
  for (const auto& each : one.extras) {
    if (!each.name.empty()) names.emplace_back(first + each.index, each.name);
  }
  return names;
}

void take_wanted(std::vector<call_record>& found, const call_query& query,
                 std::vector<call_record> calls) {
  for (auto one = calls.rbegin(); one != calls.rend() && found.size() < query.limit; ++one) {
    if (one->number <= query.after) break;
    if (query.before > 0 && one->number >= query.before) continue;
    if (query.filter.takes(*one)) found.push_back(std::move(*one));
  }
}

error nobody_waits() { return error(errc::cancelled, "nobody waits for it any more"); }

error no_such_call(std::string_view id) {
  return error(errc::not_found, "the request log has no call '" + std::string(id) + "'");
}

}  // namespace freshet::requests
