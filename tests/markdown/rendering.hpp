// Markdown as a reader of it sees it: rendered by Debian's cmark-gfm in a process of its own, and
// the HTML brought into one form. Tests that need it skip themselves where it is missing.
#pragma once

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <support/skips.hpp>
#include <vector>

namespace freshet::test {

/// Whether cmark-gfm is installed; otherwise the running case is skipped.
inline bool has_cmark() {
  static const bool found = std::system("cmark-gfm --version >/dev/null 2>&1") == 0;
  if (!found) skip("cmark-gfm is not installed");
  return found;
}

/// The HTML of a text, with tables and strikethrough.
inline std::string render(const std::string& markdown) {
  char path[] = "/tmp/freshet-markdown-XXXXXX";
  const int file = ::mkstemp(path);
  if (file < 0) return "no temporary file";
  std::size_t done = 0;
  while (done < markdown.size()) {
    const auto wrote = ::write(file, markdown.data() + done, markdown.size() - done);
    if (wrote <= 0) break;
    done += static_cast<std::size_t>(wrote);
  }
  ::close(file);
  const std::string command =
      std::string("cmark-gfm --unsafe -e table -e strikethrough -e tasklist ") + path;
  std::string html;
  if (std::FILE* pipe = ::popen(command.c_str(), "r")) {
    std::array<char, 64 * 1024> buffer{};
    std::size_t got = 0;
    while ((got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0) {
      html.append(buffer.data(), got);
    }
    ::pclose(pipe);
  }
  ::unlink(path);
  return html;
}

inline void replace_all(std::string& text, std::string_view old_part, std::string_view new_part) {
  for (auto at = text.find(old_part); at != std::string::npos;
       at = text.find(old_part, at + new_part.size())) {
    text.replace(at, old_part.size(), new_part);
  }
}

/// Runs of white space as one space, or as one newline where there is one among them.
inline std::string tidy_lines(std::string_view text) {
  std::string out;
  bool space = false, line = false;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      space = true;
      line |= c == '\n';
      continue;
    }
    if (space && !out.empty()) out += line ? '\n' : ' ';
    space = line = false;
    out += c;
  }
  return out;
}

}  // namespace freshet::test
