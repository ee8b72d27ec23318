// What the tests of the request log share: calls in one line.
#pragma once

#include <base/ids.hpp>
#include <catch2/catch.hpp>
#include <deque>
#include <requests/request_store.hpp>
#include <string>
#include <support/manual_clock.hpp>
#include <support/print_result.hpp>
#include <support/temporary_folder.hpp>
#include <vector>

namespace freshet::requests::test {

using freshet::test::manual_clock;
using freshet::test::start_time;
using freshet::test::temporary_folder;

using list = std::vector<std::string>;

/// A call as a test wants it, with the texts that its facts borrow.
struct sample_call {
  std::string account = "acc_1", id, endpoint = "news/search", key = "key_1", code;
  time_point at = start_time;
  int status = 200;
  bool is_test = false;
  std::vector<source_report> sources = {};

  [[nodiscard]] call_facts facts() const {
    call_facts made;
    made.account = account;
    made.request_id = id;
    made.at = at;
    made.endpoint = endpoint;
    made.key_id = key;
    made.is_test = is_test;
    made.status = status;
    made.code = code;
    made.credits = status == 200 ? 1 : 0;
    made.elapsed_ms = 12;
    if (status == 200) {
      made.items = 7;
      made.completeness = completeness::complete;
    }
    made.sources = sources;
    return made;
  }
};

/// Adds a call to a batch as the log does.
inline void put(batch& batch, const sample_call& one, call_bodies bodies = {}) {
  auto& chunks = batch[one.account];
  if (chunks.empty() || chunks.back().calls == max_chunk_calls) chunks.emplace_back();
  auto& last = chunks.back();
  const auto facts = one.facts();
  pack_call(last.packed, facts);
  last.marks.add(facts);
  const bool has_name = !is_found_by_time(one.id, one.at);
  if (has_name || !bodies.sent.empty() || !bodies.answered.empty()) {
    last.extras.push_back({last.calls, has_name ? one.id : "", std::move(bodies)});
  }
  ++last.calls;
}

inline list ids_of(const std::vector<call_record>& calls) {
  list ids;
  for (const auto& one : calls) ids.push_back(one.request_id);
  return ids;
}

}  // namespace freshet::requests::test
