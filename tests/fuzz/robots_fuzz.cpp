// A path in the first line and any bytes as the robots.txt behind it: judging ends, what decides is
// a rule of its kind, and how lines end or what a comment says changes nothing.
#include <cstdint>
#include <fuzz/target.hpp>
#include <http/robots.hpp>

namespace {

using namespace freshet;
using verdict = http::robots_rules::verdict;

std::string with_line_ends(std::string_view text, std::string_view end) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += end;
    } else {
      out += c;
    }
  }
  return out;
}

verdict judged(std::string_view text, std::string_view path) {
  return http::robots_rules::parse(text).check("Freshet", path);
}

void require_same(const verdict& one, const verdict& other) {
  fuzz::require(one.allowed == other.allowed && one.rule == other.rule);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = fuzz::text_of(data, size);
  const auto end = bytes.find('\n');
  const auto path = bytes.substr(0, end);
  const auto text = end == std::string_view::npos ? std::string_view() : bytes.substr(end + 1);
  const auto first = judged(text, path);
  if (!first.rule.empty())
    fuzz::require(first.rule.starts_with(first.allowed ? "Allow: " : "Disallow: "));
  fuzz::require(judged(text, "/robots.txt").allowed);
  // At the limit of what is read of a file, longer ends of lines push text out.
  if (text.size() < http::max_robots_bytes / 2) {
    require_same(first, judged(with_line_ends(text, "\r"), path));
    require_same(first, judged(with_line_ends(text, "\r\n"), path));
    require_same(first, judged(std::string(text) + "\n# the end", path));
  }
  return 0;
}
