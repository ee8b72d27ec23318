// Which recorded items tell the same, against what a person says: how many of the pairs that are
// told to be the same are, and how many of those that are, are told. Nothing was fitted to single
// sources: the share holds with any of them left out. Recall is printed and bounded only from
// below: who reads more of what is missed adds it to same_story.def.
#include <catch2/catch.hpp>
#include <iostream>
#include <map>
#include <query/same_story.hpp>
#include <set>
#include <sources/conformance/driver.hpp>
#include <sources/exchange.hpp>
#include <sources/recording_rows.hpp>

using namespace freshet;

namespace {

using id_pair = std::pair<std::string, std::string>;

id_pair pair_of(std::string one, std::string other) {
  if (other < one) one.swap(other);
  return {std::move(one), std::move(other)};
}

std::set<id_pair> judged_same() {
  return {
#define SAME(one, other) pair_of(one, other),
#include <sources/conformance/same_story.def>
#undef SAME
  };
}

/// What the recordings of a source hold that can tell something, each once.
void add_items(const sources::descriptor& source, std::map<std::string, item>& out) {
  std::vector<std::string> folders = {std::string(source.name)};
  for (const auto& [folder, of] : test::recording_folders()) {
    if (of == source.name) folders.emplace_back(folder);
  }
  for (const auto& one : test::subjects()) {
    if (one.source != &source || one.endpoint().shape != catalog::answer_shape::list) continue;
    const auto kind = one.endpoint().answer->name;
    if (kind == "user" || kind == "comment" || kind == "suggestion" || kind == "trend") continue;
    auto what = one.what;
    what.limit = 100;
    for (const auto& folder : folders) {
      for (const auto& path : test::recordings(folder)) {
        const auto* row = test::find_recording_row(source.name, test::endpoint_of(path));
        if (row != nullptr) continue;  // no plain answer of a list
        INFO(path.string());
        const auto answer = test::recorded(path);
        // As they were recorded: without credentials, which the sandbox may have.
        const sources::settings bare{one.where->base_url, {}};
        const auto read = one.how->read({what, bare, answer, "", ""});
        if (!read || !std::holds_alternative<sources::listing>(*read)) continue;
        for (const auto& any : std::get<sources::listing>(*read).items)
          out.emplace(common(any).id, any);
      }
    }
  }
}

}  // namespace

TEST_CASE("same story: of recorded pairs that are told to be the same, 98 of 100 are") {
  if (!test::shared_has("recordings")) return;
  std::map<std::string, item> items;
  for (const auto* source : sources::all_sources()) add_items(*source, items);
  REQUIRE(items.size() > 500);
  std::vector<std::pair<std::string, query::story_print>> prints;
  for (const auto& [id, one] : items) prints.emplace_back(id, query::print_of(one));
  const auto judged = judged_same();
  for (const auto& [one, other] : judged) {
    INFO(one << " " << other);
    CHECK((items.contains(one) && items.contains(other)));
  }
  std::set<id_pair> told;
  std::uint64_t steps = 0, pairs = 0;
  for (std::size_t a = 0; a < prints.size(); ++a) {
    for (std::size_t b = a + 1; b < prints.size(); ++b) {
      ++pairs;
      if (query::is_same_story(prints[a].second, prints[b].second, steps))
        told.insert(pair_of(prints[a].first, prints[b].first));
    }
  }
  const auto share_of = [](std::size_t part, std::size_t all) {
    return all == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(all);
  };
  std::set<std::string_view> left_out = {""};
  for (const auto& [one, other] : told) {
    for (const auto& id : {std::string_view(one), std::string_view(other)})
      left_out.insert(id.substr(0, id.find(':')));
  }
  for (const auto source : left_out) {
    const auto counts = [&](const id_pair& pair) {
      const auto is_of = [&](std::string_view id) {
        return !source.empty() && id.substr(0, id.find(':')) == source;
      };
      return !is_of(pair.first) && !is_of(pair.second);
    };
    std::size_t all_told = 0, right = 0, all_judged = 0;
    for (const auto& pair : told) {
      if (!counts(pair)) continue;
      ++all_told;
      right += judged.contains(pair) ? 1 : 0;
      if (!judged.contains(pair) && source.empty())
        std::cout << "not judged the same: " << pair.first << " " << pair.second << "\n";
    }
    for (const auto& pair : judged) all_judged += counts(pair) ? 1 : 0;
    std::cout << "same story" << (source.empty() ? "" : " without ") << source << ": "
              << items.size() << " items, " << pairs << " pairs, " << all_told
              << " told, precision " << share_of(right, all_told) << ", recall "
              << share_of(right, all_judged) << "\n";
    CHECK(share_of(right, all_told) >= 0.98);
    if (source.empty()) CHECK(share_of(right, all_judged) >= 0.7);
  }
  CHECK(judged.size() >= 10);
}
