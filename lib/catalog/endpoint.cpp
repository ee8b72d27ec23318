// What is asked of the table of endpoints.
#include <algorithm>
#include <base/unicode.hpp>
#include <catalog/endpoint.hpp>

namespace freshet::catalog {
namespace {

constexpr platform_info all_platforms[] = {
    {"all", "Every platform in one call"},
    {"microblog", "Posts and users of microblogs"},
    {"web-serp", "Results of web search engines"},
    {"scrape", "Web pages as markdown and as data, and the addresses of a site"},
    {"forum", "Posts and comments of forums"},
    {"shortvideo", "Videos and their creators"},
    {"news", "Press coverage"},
    {"account",
     "The account of the calling key: plan, balance, usage, keys, requests and alerts; free of "
     "charge"},
};

}  // namespace

std::span<const platform_info> platforms() noexcept { return all_platforms; }

const endpoint* find_endpoint(std::string_view path) noexcept {
  const auto all = endpoints();
  const auto found = std::ranges::find(all, path, &endpoint::path);
  return found == all.end() ? nullptr : &*found;
}

std::string_view nearest_path(std::string_view path) {
  constexpr std::size_t longest_path = 64;  // an edit distance over more would only cost time
  if (path.size() > longest_path) return {};
  std::vector<std::string_view> known;
  for (const auto& one : endpoints()) known.push_back(one.path);
  return base::nearest(path, known);
}

std::vector<const object_schema*> answers_of(const endpoint& of) {
  std::vector<const object_schema*> answers;
  if (of.answer != nullptr) answers.push_back(of.answer);
  for (const operation part : of.parts) answers.push_back(find_endpoint(part).answer);
  return answers;
}

std::vector<std::string_view> item_keys(const endpoint& of) {
  std::vector<std::string_view> keys;
  for (const object_schema* answer : answers_of(of)) {
    for (const auto part : {answer->common, answer->own}) {
      for (const field& one : part) {
        if (std::ranges::find(keys, one.name) == keys.end()) keys.push_back(one.name);
      }
    }
  }
  const bool is_there = std::ranges::find(keys, provenance_key) != keys.end();
  if (of.scope == scope::read && !is_there) keys.push_back(provenance_key);
  return keys;
}

const parameter* find_parameter(const endpoint& endpoint, std::string_view name) noexcept {
  for (const auto part : {endpoint.own, endpoint.common}) {
    for (const auto& one : part) {
      if (one.name == name) return &one;
    }
  }
  return nullptr;
}

}  // namespace freshet::catalog
