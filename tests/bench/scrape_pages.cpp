// Converts a folder of pages to markdown, for scoring against a corpus, and measures the speed:
//   bench_scrape IN_DIR OUT_DIR [meta.json]
// IN_DIR holds <id>.html or <id>.html.gz; OUT_DIR gets <id>.md. The addresses of the pages come
// from meta.json where it names them. Prints one JSON object: pages, megabytes, and megabytes a
// second of processor time from bytes to the document item (the best of several rounds).
#include <zlib.h>

#include <base/json.hpp>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <markdown/page.hpp>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr int rounds = 4;

struct page_file {
  std::string id, body, url;
};

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

std::vector<page_file> read_pages(const fs::path& folder, const char* meta) {
  boost::json::value facts;
  if (meta != nullptr) {
    auto parsed = freshet::base::parse_json(read_any(meta));
    if (parsed) facts = std::move(*parsed);
  }
  std::vector<page_file> pages;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    if (!name.ends_with(".html") && !name.ends_with(".html.gz")) continue;
    auto id = id_of(entry.path());
    auto url = freshet::base::text_of(freshet::base::member(facts, id, "url"));
    pages.push_back({std::move(id), read_any(entry.path()), std::move(url)});
  }
  return pages;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "bench_scrape IN_DIR OUT_DIR [meta.json]\n";
    return 2;
  }
  const auto pages = read_pages(argv[1], argc > 3 ? argv[3] : nullptr);
  fs::create_directories(argv[2]);
  std::size_t bytes = 0;
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round < rounds; ++round) {
    bytes = 0;
    std::clock_t spent = 0;
    for (const auto& page : pages) {
      const auto from = std::clock();
      const auto made = freshet::markdown::convert({page.body, "text/html", page.url}, {});
      spent += std::clock() - from;
      bytes += page.body.size();
      if (round > 0) continue;
      if (made) std::ofstream(fs::path(argv[2]) / (page.id + ".md")) << made->document.markdown;
    }
    best = std::min(best, static_cast<double>(spent) / CLOCKS_PER_SEC);
  }
  const double megabytes = static_cast<double>(bytes) / 1e6;
  std::cout << "{\"pages\": " << pages.size() << ", \"megabytes\": " << megabytes
            << ", \"megabytes_per_second\": " << megabytes / best << "}\n";
  return 0;
}
