// HTML from a file or standard input as markdown: no engine, no account, no network.
// Usage: local_html [FILE]
#include <freshet/engine.hpp>
#include <fstream>
#include <iostream>
#include <iterator>

int main(int count, char** arguments) {
  std::ifstream file;
  if (count > 1) file.open(arguments[1], std::ios::binary);
  std::istream& from = count > 1 ? file : std::cin;
  const std::string html{std::istreambuf_iterator<char>(from), std::istreambuf_iterator<char>()};
  if (!from) {
    std::cerr << "cannot be read\n";
    return 1;
  }

  freshet::markdown_options options;
  options.url = "https://example.org/notes/";  // where links that are not absolute begin
  std::vector<std::string> warnings;
  const auto page = freshet::to_markdown(html, options, &warnings);
  if (!page) {
    std::cerr << page.error().detail() << '\n';  // not text, or a selector that is none
    return 1;
  }
  // The title stands beside the markdown, not in it.
  std::cout << "# " << page->title << "\n\n" << page->markdown << '\n';
  for (const auto& warning : warnings) std::cerr << warning << '\n';
}
