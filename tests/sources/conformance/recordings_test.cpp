// Every recorded answer of every source: read by one of its capabilities, refused with a code, or
// in the table of recordings.def with a reason. Prints the counts.
#include <algorithm>
#include <catch2/catch.hpp>
#include <iostream>
#include <map>
#include <set>
#include <sources/conformance/driver.hpp>
#include <sources/exchange.hpp>

using namespace freshet;

namespace {

/// What became of one recording under the capability that makes most of it.
struct outcome {
  std::size_t items = 0;
  bool nothing = false;  ///< a listing without items
  bool follows = false;
  std::vector<errc> codes;  ///< of the capabilities that refuse it
  test::problem_list problems;
};

/// As an operator would have it who has set every credential, or none.
sources::settings settings_of(const test::subject& one, bool with_credentials) {
  auto with = *one.where;
  with.values.clear();  // the sandbox may have credentials
  if (!with_credentials) return with;
  for (const auto& setting : one.source->settings) {
    if (setting.secret) with.values[std::string(setting.name)] = "made-up";
  }
  return with;
}

/// Reads an answer as every capability of the source would, at every step that its sandbox knows.
void read_recording(outcome& out, std::string_view source, const http::response& answer,
                    bool with_credentials) {
  for (const auto& one : test::subjects()) {
    if (one.source->name != source) continue;
    const auto with = settings_of(one, with_credentials);
    std::set<std::string> tried;
    for (const auto& page : one.pages) {
      for (const auto& step : page.steps) {
        if (!tried.insert(step.state).second) continue;
        auto what = one.what;
        what.limit = 100;
        const auto read = one.how->read({what, with, answer, "", step.state});
        for (auto& wrong : test::step_problems(read, source)) out.problems.push_back(wrong);
        if (!read) {
          out.codes.push_back(read.error().code());
        } else if (const auto* listing = std::get_if<sources::listing>(&*read)) {
          // A later step that fails may leave what an earlier one has found.
          if (answer.status >= 400 && listing->partial) continue;
          out.items = std::max(out.items, listing->items.size());
          out.nothing = out.nothing || listing->items.empty();
        } else {
          out.follows = true;
        }
      }
    }
  }
}

/// The code that tells most: what is more special than "unreadable".
errc telling_code(const std::vector<errc>& codes) {
  for (const auto code : {errc::source_blocked, errc::source_auth_required,
                          errc::source_unavailable, errc::not_found, errc::source_timeout}) {
    if (std::find(codes.begin(), codes.end(), code) != codes.end()) return code;
  }
  return codes.empty() ? errc::internal : codes.front();
}

struct tally {
  int read = 0, nothing = 0, unused = 0;
  std::map<std::string, int> refused;
};

void count_one(tally& tally, std::string_view source, const std::filesystem::path& path) {
  const auto* row = test::find_recording_row(source, test::endpoint_of(path));
  using kind = test::recording_row::kind;
  if (row != nullptr && row->is == kind::unused) {
    ++tally.unused;
    return;
  }
  if (row != nullptr && (row->is == kind::own || row->is == kind::elsewhere)) {
    ++tally.read;
    return;
  }
  INFO(path.string() << ": read it, or give it a row in tests/sources/recordings.def");
  const auto answer = test::recorded(path);
  outcome got;
  // A credential only adds what may be read: what is refused without one counts first.
  read_recording(got, source, answer, false);
  if (row == nullptr || row->is != kind::refused) read_recording(got, source, answer, true);
  CHECK(test::joined(got.problems) == "");
  if (got.items > 0 || (got.follows && answer.status < 400)) {
    CHECK(answer.status < 400);
    ++tally.read;
    return;
  }
  const bool said_nothing = row != nullptr && row->is == kind::nothing;
  if (said_nothing) {
    CHECK(got.nothing);
    ++tally.nothing;
    return;
  }
  REQUIRE(!got.codes.empty());
  const auto code = telling_code(got.codes);
  const bool said_refused = row != nullptr && row->is == kind::refused;
  INFO(describe(code).name);
  // A success that nobody reads is a gap, unless the table says what it really is.
  CHECK((answer.status >= 400 || said_refused));
  if (said_refused) CHECK(code == row->code);
  CHECK(code != errc::internal);
  ++tally.refused[std::string(describe(code).name)];
}

void print_row(std::string_view source, const tally& tally) {
  std::string refused;
  int total = tally.read + tally.nothing + tally.unused;
  for (const auto& [code, count] : tally.refused) {
    refused += (refused.empty() ? "" : ", ") + std::to_string(count) + " " + code;
    total += count;
  }
  std::cout << "| " << source << " | " << total << " | " << tally.read << " | " << tally.nothing
            << " | " << (refused.empty() ? "0" : refused) << " | " << tally.unused << " |\n";
}

}  // namespace

TEST_CASE("conformance: every recording of a source is read or refused with its code") {
  if (!test::shared_has("recordings")) return;
  std::cout << "| source | recordings | read | nothing found | refused | not asked for |\n"
               "|---|---|---|---|---|---|\n";
  tally all;
  for (const auto* source : sources::all_sources()) {
    std::vector<std::string> folders = {std::string(source->name)};
    for (const auto& [folder, of] : test::recording_folders()) {
      if (of == source->name) folders.emplace_back(folder);
    }
    tally here;
    for (const auto& folder : folders) {
      for (const auto& path : test::recordings(folder)) count_one(here, source->name, path);
    }
    if (here.read + here.nothing + here.unused + static_cast<int>(here.refused.size()) == 0)
      continue;
    print_row(source->name, here);
    all.read += here.read;
    all.nothing += here.nothing;
    all.unused += here.unused;
    for (const auto& [code, count] : here.refused) all.refused[code] += count;
  }
  print_row("all", all);
  CHECK(all.read > 100);
}

TEST_CASE("conformance: every row of the table of recordings is of one that is there") {
  if (!test::shared_has("recordings")) return;
  for (const auto& row : test::recording_rows()) {
    INFO(row.source << " " << row.endpoint);
    if (sources::find_source(row.source) == nullptr) continue;
    std::vector<std::string> folders = {std::string(row.source)};
    for (const auto& [folder, of] : test::recording_folders()) {
      if (of == row.source) folders.emplace_back(folder);
    }
    bool found = false;
    for (const auto& folder : folders) {
      for (const auto& path : test::recordings(folder))
        found = found || row.is_of(test::endpoint_of(path));
    }
    CHECK(found);
  }
}
