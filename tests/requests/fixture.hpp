// What the tests of the request log share: a clock set by hand, a folder that goes, and calls in
// one line.
#pragma once

#include <atomic>
#include <base/clock.hpp>
#include <base/ids.hpp>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <requests/request_store.hpp>
#include <stdexcept>
#include <string>
#include <support/print_result.hpp>
#include <vector>

namespace freshet::requests::test {

using list = std::vector<std::string>;

/// Noon on 21 November 2026.
inline const time_point noon{std::chrono::sys_days{std::chrono::year{2026} / 11 / 21} +
                             std::chrono::hours(12)};

class day_clock final : public base::clock {
 public:
  [[nodiscard]] time_point now() const override {
    return time_point(std::chrono::milliseconds(now_ms_.load()));
  }
  [[nodiscard]] std::chrono::steady_clock::time_point steady() const override {
    return std::chrono::steady_clock::now();
  }
  void set(time_point at) { now_ms_ = at.time_since_epoch().count(); }

 private:
  std::atomic<std::int64_t> now_ms_{noon.time_since_epoch().count()};
};

class log_folder {
 public:
  log_folder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "freshet-requests-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path_ = pattern;
  }
  log_folder(const log_folder&) = delete;
  log_folder& operator=(const log_folder&) = delete;
  ~log_folder() {
    std::error_code ignored;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string file(const std::string& name = "requests.db") const {
    return path_ + "/" + name;
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A call as a test wants it, with the texts that its facts borrow.
struct sample_call {
  std::string account = "acc_1", id, endpoint = "news/search", key = "key_1", code;
  time_point at = noon;
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
