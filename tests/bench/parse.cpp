// Megabytes a CPU second of html::parse over a folder of pages, of to_utf8 before it, and of
// libxml2's HTML parser in the same run where that is there.
//   bench_parse FOLDER [ROUNDS]
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <html/charset.hpp>
#include <html/document.hpp>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>
#ifdef FRESHET_BENCH_LIBXML2
#include <libxml/HTMLparser.h>
#endif

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

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

/// The best of all rounds, so that a busy machine counts little.
double best_speed(const std::vector<std::string>& pages, int rounds,
                  const std::function<void(const std::string&)>& work) {
  double bytes = 0, best = 0;
  for (const auto& page : pages) bytes += static_cast<double>(page.size());
  for (int round = 0; round < rounds; ++round) {
    const double from = cpu_seconds();
    for (const auto& page : pages) work(page);
    best = std::max(best, bytes / 1e6 / (cpu_seconds() - from));
  }
  return best;
}

void print(const char* name, double speed) {
  std::cout << std::left << std::setw(28) << name << std::right << std::setw(10) << std::fixed
            << std::setprecision(1) << speed << " MB/s\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "bench_parse FOLDER [ROUNDS]\n";
    return 2;
  }
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
  std::vector<std::string> raw, pages;
  for (const auto& entry : fs::directory_iterator(argv[1])) {
    const auto name = entry.path().filename().string();
    if (!name.ends_with(".html") && !name.ends_with(".html.gz")) continue;
    raw.push_back(read_any(entry.path()));
    pages.push_back(freshet::html::to_utf8(raw.back(), "text/html").text);
  }
  std::size_t nodes = 0, bytes = 0;
  for (const auto& page : pages) {
    nodes += freshet::html::parse(page).size();
    bytes += page.size();
  }
  std::cout << pages.size() << " pages, " << static_cast<double>(bytes) / 1e6 << " MB, " << nodes
            << " nodes\n";
  print("html::to_utf8", best_speed(raw, rounds, [](const std::string& page) {
          static_cast<void>(freshet::html::to_utf8(page, "text/html"));
        }));
  print("html::parse", best_speed(pages, rounds, [](const std::string& page) {
          static_cast<void>(freshet::html::parse(page));
        }));
#ifdef FRESHET_BENCH_LIBXML2
  print("libxml2 htmlReadMemory", best_speed(pages, rounds, [](const std::string& page) {
          htmlDocPtr made =
              htmlReadMemory(page.data(), static_cast<int>(page.size()), nullptr, "utf-8",
                             HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING);
          xmlFreeDoc(made);
        }));
#else
  std::cout << "libxml2 is not there: libxml2-dev\n";
#endif
  return 0;
}
