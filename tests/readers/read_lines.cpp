// What we read of files, for a comparison with what others read of them.
// Usage: read_lines robots | read_lines feeds | read_lines urls | read_lines days
// A line in: for robots a file and a path with a tab between, for feeds a file, for urls two texts
// as JSON, an address ("" for none) and what is relative to it, for days a text as JSON. Out: a
// line with "yes" or "no", with the entries as JSON, or null where it is no feed, with an address
// as JSON,
// "" where it is none, and with the day in the text, if there is one.
#include <base/time_text.hpp>
#include <base/url.hpp>
#include <base/whole_file.hpp>
#include <boost/json.hpp>
#include <http/robots.hpp>
#include <iostream>
#include <markdown/about/written_date.hpp>
#include <sources/syndication/feed.hpp>
#include <string>

namespace {

namespace json = boost::json;
using namespace freshet;

void judge_paths() {
  std::string line, known;
  http::robots_rules rules;
  while (std::getline(std::cin, line)) {
    const auto tab = line.find('\t');
    if (line.substr(0, tab) != known) {
      known = line.substr(0, tab);
      rules = http::robots_rules::parse(base::read_whole(known));
    }
    std::cout << (rules.check("Freshet", line.substr(tab + 1)).allowed ? "yes\n" : "no\n");
  }
}

json::value entries_of(const std::string& path) {
  http::response answer;
  answer.status = 200;
  answer.body = base::read_whole(path);
  const auto feed = sources::syndication::read_feed(answer);
  if (!feed) return nullptr;
  json::array out;
  for (const auto& one : feed->entries) {
    const auto time = sources::syndication::time_of(one);
    json::array authors;
    for (const auto& person : one.authors) authors.emplace_back(person.name);
    out.push_back({{"title", one.title.text},
                   {"text", one.content.text.empty() ? one.summary.text : one.content.text},
                   {"address", one.address},
                   {"time", time ? base::format_time(*time) : ""},
                   {"authors", authors}});
  }
  return out;
}

void resolve_references() {
  for (std::string line; std::getline(std::cin, line);) {
    const auto pair = json::parse(line).as_array();
    const auto against = base::parse_url(pair[0].as_string());
    const auto found = pair[0].as_string().empty() ? base::parse_url(pair[1].as_string())
                       : against ? base::resolve_url(*against, pair[1].as_string())
                                 : std::nullopt;
    std::cout << json::serialize(json::value(found ? found->text() : "")) << '\n';
  }
}

void read_days() {
  for (std::string line; std::getline(std::cin, line);) {
    const auto day =
        markdown::moment_said(json::parse(line).as_string(), markdown::day_order::month_first);
    std::cout << (day ? base::format_time(*day).substr(0, 10) : "") << '\n';
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::string kind = count == 2 ? arguments[1] : "";
  if (kind == "robots") {
    judge_paths();
  } else if (kind == "feeds") {
    for (std::string line; std::getline(std::cin, line);) {
      std::cout << json::serialize(entries_of(line)) << '\n';
    }
  } else if (kind == "days") {
    read_days();
  } else if (kind == "urls") {
    resolve_references();
  } else {
    std::cerr << "usage: read_lines robots | feeds | urls | days\n";
    return 2;
  }
  return 0;
}
