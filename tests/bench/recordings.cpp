// What every source reads out of every recording, and what that costs.
//   bench_recordings ../shared/recordings
//     every answer by each capability of its source: the lines that compare two builds
//   bench_recordings --time ../shared/recordings [SOURCE]
//     every answer by the capability that makes most of it: microseconds of processor time
// A recording is read for endpoints that it is not of, too: what comes of that must not change
// either.
#include <algorithm>
#include <base/json.hpp>
#include <base/url.hpp>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <model/json.hpp>
#include <set>
#include <sources/recorded_answer.hpp>
#include <sources/recording_rows.hpp>
#include <sources/sandbox.hpp>
#include <sources/source.hpp>

namespace {

namespace fs = std::filesystem;
using namespace freshet;

/// Of what a time is told for: a page. Answers of few items are told as they are, for most of what
/// they cost is not the items'.
constexpr double page_items = 20;
constexpr std::size_t few_items = 10;
/// Processor time for which a read is repeated, in seconds, and each step behind it.
constexpr double read_time = 0.05, step_time = 0.01;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

http::response recorded(const fs::path& body) {
  const auto meta = base::parse_json(read_file(test::sidecar_of(body)));
  return test::recorded_answer(body, read_file(body), meta ? *meta : base::json::value{});
}

/// A call that says something of everything.
sources::call question(catalog::operation op) {
  sources::call call;
  call.op = op;
  if (auto query = query::parse_text_query("climate")) call.q = std::move(*query);
  call.now = sources::sandbox_now;
  call.username = "someone";
  call.community = "all";
  call.hashtag = "tides";
  return call;
}

std::string told(const result<sources::step>& read) {
  if (!read) {
    return std::string(describe(read.error().code()).name) + ": " + read.error().detail() + " | " +
           read.error().source_text;
  }
  if (const auto* further = std::get_if<sources::follow>(&*read)) {
    return "follow " + further->request.url + " " + further->state;
  }
  const auto& page = std::get<sources::listing>(*read);
  return model::items_json(page.items) + " next " + page.next;
}

/// The folders of a source's recordings: its own, and those that have another name.
std::vector<fs::path> folders_of(const fs::path& root, std::string_view source) {
  std::vector<fs::path> found{root / std::string(source)};
  for (const auto& one : test::recording_folders()) {
    if (one.source == source) found.push_back(root / std::string(one.folder));
  }
  std::erase_if(found, [](const fs::path& one) { return !fs::exists(one); });
  return found;
}

/// Each recording of a source: what it is called, and its answer.
template <class Visit>
void each_recording(const fs::path& root, std::string_view source, const Visit& visit) {
  for (const auto& folder : folders_of(root, source)) {
    std::set<fs::path> bodies;
    for (const auto& entry : fs::directory_iterator(folder)) {
      const auto name = entry.path().filename().string();
      if (entry.is_regular_file() && !name.ends_with(".meta.json")) bodies.insert(entry.path());
    }
    for (const auto& body : bodies) {
      visit(body.lexically_relative(folder.parent_path()).string(), recorded(body));
    }
  }
}

sources::settings settings_of(const sources::descriptor& source) {
  return {std::string(source.default_base_url), {}};
}

void print_all(const fs::path& root) {
  for (const auto* source : sources::all_sources()) {
    const auto settings = settings_of(*source);
    each_recording(root, source->name, [&](const auto& name, const http::response& answer) {
      for (const auto& capability : source->capabilities) {
        const auto call = question(capability.op);
        const auto read = capability.read({call, settings, answer, "", ""});
        std::cout << source->name << ' ' << name << ' '
                  << catalog::find_endpoint(capability.op).path << ' ' << told(read) << '\n';
      }
    });
  }
}

/// Microseconds that `work` takes, by as many repetitions as fill `seconds`. The clock is asked
/// seldom: asking costs more than some work.
template <class Work>
double time_of(double seconds, const Work& work) {
  work();
  std::clock_t spent = 0;
  std::size_t count = 0;
  for (std::size_t more = 1; spent < static_cast<std::clock_t>(seconds * CLOCKS_PER_SEC);
       more *= 2) {
    const auto began = std::clock();
    for (std::size_t i = 0; i < more; ++i) work();
    spent += std::clock() - began;
    count += more;
  }
  return static_cast<double>(spent) * 1e6 / CLOCKS_PER_SEC / static_cast<double>(count);
}

/// What one recording costs, in microseconds, and how much it is.
struct timing {
  std::string source, name, endpoint;
  double read = 0;   ///< from bytes to items
  double match = 0;  ///< every item held to a word
  double key = 0;    ///< under what results and articles are the same
  double write = 0;  ///< items to JSON
  std::size_t items = 0;
  std::size_t bytes = 0;

  [[nodiscard]] double whole() const { return read + match + key + write; }
  [[nodiscard]] double page() const {
    return items < few_items ? whole() : whole() * page_items / static_cast<double>(items);
  }
};

/// The capability that reads the most items; null if none reads any.
const sources::capability* best_reader(const sources::descriptor& source,
                                       const http::response& answer, std::size_t& items) {
  const sources::capability* best = nullptr;
  for (const auto& capability : source.capabilities) {
    const auto call = question(capability.op);
    const auto read = capability.read({call, settings_of(source), answer, "", ""});
    const auto* page = read ? std::get_if<sources::listing>(&*read) : nullptr;
    if (page == nullptr || page->items.size() <= items) continue;
    best = &capability;
    items = page->items.size();
  }
  return best;
}

timing measured(const sources::descriptor& source, const sources::capability& how,
                const http::response& answer) {
  timing out;
  const auto call = question(how.op);
  const auto settings = settings_of(source);
  result<sources::step> read = error(errc::internal);
  out.read = time_of(read_time, [&] { read = how.read({call, settings, answer, "", ""}); });
  const auto& items = std::get<sources::listing>(*read).items;
  out.items = items.size();
  out.bytes = answer.body.size();
  std::size_t sum = 0;  // so that nothing is left out as unused
  out.match = time_of(step_time, [&] {
    for (const auto& one : items) sum += query::matches(call.q, one) ? 1 : 0;
  });
  out.key = time_of(step_time, [&] {
    for (const auto& one : items) {
      if (std::holds_alternative<web_result>(one) || std::holds_alternative<article>(one)) {
        sum += base::same_page_key(common(one).url).size();
      }
    }
  });
  out.write = time_of(step_time, [&] { sum += model::items_json(items).size(); });
  if (sum == 0) std::cerr << "nothing was written\n";
  return out;
}

void print_times(const fs::path& root, std::string_view only) {
  std::vector<timing> rows;
  for (const auto* source : sources::all_sources()) {
    if (!only.empty() && source->name != only) continue;
    each_recording(root, source->name, [&](const auto& name, const http::response& answer) {
      std::size_t items = 0;
      const auto* how = best_reader(*source, answer, items);
      if (how == nullptr) return;
      rows.push_back(measured(*source, *how, answer));
      rows.back().source = source->name;
      rows.back().name = name;
      rows.back().endpoint = catalog::find_endpoint(how->op).path;
    });
  }
  std::ranges::stable_sort(rows, std::greater{}, &timing::page);
  std::printf("%8s %8s %8s %8s %8s %6s %8s %8s  %s\n", "us/page", "read", "match", "key", "write",
              "items", "KB", "KB/s", "recording");
  for (const auto& one : rows) {
    const auto kilobytes = static_cast<double>(one.bytes) / 1024;
    std::printf("%8.0f %8.1f %8.1f %8.1f %8.1f %6zu %8.1f %8.0f  %s %s %s\n", one.page(), one.read,
                one.match, one.key, one.write, one.items, kilobytes, kilobytes * 1e6 / one.read,
                one.source.c_str(), one.name.c_str(), one.endpoint.c_str());
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string_view> words(arguments + 1, arguments + count);
  if (words.size() == 1 && !words[0].starts_with("--")) {
    print_all(words[0]);
    return 0;
  }
  if ((words.size() == 2 || words.size() == 3) && words[0] == "--time") {
    print_times(words[1], words.size() == 3 ? words[2] : std::string_view{});
    return 0;
  }
  std::cerr << "usage: bench_recordings [--time] ../shared/recordings [SOURCE]\n";
  return 2;
}
