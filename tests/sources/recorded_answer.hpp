// A recorded answer out of a body and the .meta.json beside it, for tests and for what measures: it
// checks nothing, so that it needs no framework of tests.
#pragma once

#include <base/json.hpp>
#include <filesystem>
#include <http/message.hpp>
#include <string>
#include <utility>

namespace freshet::test {

/// Where the recording says what came with a body.
inline std::filesystem::path sidecar_of(std::filesystem::path body) {
  return body.replace_extension(".meta.json");
}

/// The answer of a body, and of what its sidecar says: status, address and headers, which some
/// recorders have written as an object and some as pairs.
inline http::response recorded_answer(const std::filesystem::path& path, std::string body,
                                      const base::json::value& meta) {
  http::response answer;
  answer.body = std::move(body);
  answer.status = static_cast<int>(base::integer_of(base::member(meta, "status")).value_or(200));
  answer.final_url = base::text_of(base::member(meta, "url"));
  if (answer.final_url.empty()) {
    answer.final_url = base::text_of(base::member(meta, "request", "url"));
  }
  const auto& headers = base::member(meta, "headers");
  for (const auto& [name, value] : base::object_of(headers)) {
    answer.headers.push_back({std::string(name), base::text_of(value)});
  }
  for (const auto& pair : base::array_of(headers)) {
    const auto& parts = base::array_of(pair);
    if (parts.size() != 2) continue;
    answer.headers.push_back({base::text_of(parts[0]), base::text_of(parts[1])});
  }
  if (http::find_header(answer.headers, "content-type").empty()) {
    const bool page = path.extension() == ".html";
    answer.headers.push_back({"Content-Type", page ? "text/html" : "application/json"});
  }
  return answer;
}

}  // namespace freshet::test
