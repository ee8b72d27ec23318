// Converts a folder of pages to markdown, for scoring against a corpus:
//   bench_scrape IN_DIR OUT_DIR [meta.json]
// IN_DIR holds <id>.html or <id>.html.gz; OUT_DIR gets <id>.md. The addresses of the pages come
// from meta.json where it names them. Prints pages, megabytes and seconds.
#include <zlib.h>

#include <base/json.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <markdown/page.hpp>
#include <string>

namespace {

namespace fs = std::filesystem;

std::string read_any(const fs::path& path) {
  std::string out;
  const gzFile file = gzopen(path.c_str(), "rb");  // reads plain files as they are, too
  if (file == nullptr) return out;
  char buffer[64 * 1024];
  int got = 0;
  while ((got = gzread(file, buffer, sizeof buffer)) > 0) {
    out.append(buffer, static_cast<std::size_t>(got));
  }
  gzclose(file);
  return out;
}

std::string id_of(const fs::path& path) {
  auto name = path.filename().string();
  for (const std::string ending : {".gz", ".html"}) {
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  }
  return name;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "bench_scrape IN_DIR OUT_DIR [meta.json]\n";
    return 2;
  }
  boost::json::value facts;
  if (argc > 3) {
    auto parsed = freshet::base::parse_json(read_any(argv[3]));
    if (parsed) facts = std::move(*parsed);
  }
  fs::create_directories(argv[2]);
  std::size_t pages = 0, bytes = 0;
  std::chrono::duration<double> spent{0};
  for (const auto& entry : fs::directory_iterator(argv[1])) {
    const auto name = entry.path().filename().string();
    if (!name.ends_with(".html") && !name.ends_with(".html.gz")) continue;
    const auto id = id_of(entry.path());
    const auto body = read_any(entry.path());
    const auto url = freshet::base::text_of(freshet::base::member(facts, id, "url"));
    const auto from = std::chrono::steady_clock::now();
    const auto made = freshet::markdown::convert({body, "text/html", url}, {});
    spent += std::chrono::steady_clock::now() - from;
    ++pages;
    bytes += body.size();
    if (made) std::ofstream(fs::path(argv[2]) / (id + ".md")) << made->document.markdown;
  }
  std::cout << pages << " pages, " << static_cast<double>(bytes) / 1e6 << " MB, " << spent.count()
            << " s\n";
  return 0;
}
