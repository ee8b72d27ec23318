// Converts a folder of pages to markdown, for scoring against a corpus, and measures the speed:
//   bench_scrape IN_DIR OUT_DIR [meta.json [--rounds N] [--tables DIR] [--blocks FILE]
//                [--features FILE] [--parts yes]]
// IN_DIR holds <id>.html or <id>.html.gz; OUT_DIR gets <id>.md, and <id>.json with
// what the page says of itself: title, authors and created_at. The addresses of the pages come
// from meta.json where it names them. Prints one JSON object: pages, megabytes, and megabytes a
// second of processor time from bytes to the document item (the best of N rounds, four without).
//   --tables DIR   for a page of fold K the table DIR/foldK.inc instead of the one compiled in
//   --blocks FILE  gets a JSON line for each page: its blocks, for tests/bench/fit
//   --features FILE  gets the features of all these blocks, a byte each
//   --parts yes    both of them also of a short page that is cut out of each page
#include <zlib.h>

#include <algorithm>
#include <base/json.hpp>
#include <base/time_text.hpp>
#include <boost/json/serialize.hpp>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <html/charset.hpp>
#include <html/document.hpp>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <markdown/blocks/model.hpp>
#include <markdown/blocks/report.hpp>
#include <markdown/page.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "page_parts.hpp"

namespace {

namespace fs = std::filesystem;

namespace json = boost::json;
using freshet::markdown::block_model;
using freshet::markdown::choice_report;

struct page_file {
  std::string id, body, url;
  std::int64_t fold = -1;
};

struct options {
  int rounds = 4;
  std::string meta, tables, blocks, features, parts;
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
  json::value facts;
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
    const auto& fold = freshet::base::member(facts, id, "fold");
    pages.push_back({std::move(id), read_any(entry.path()), std::move(url),
                     fold.is_int64() ? fold.get_int64() : -1});
  }
  std::ranges::sort(pages, {}, &page_file::id);
  return pages;
}

/// A table as text: numbers with commas between them, after lines of comment.
block_model read_table(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::int64_t> numbers;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("//")) continue;
    std::ranges::replace(line, ',', ' ');
    std::istringstream words(line);
    for (std::int64_t one = 0; words >> one;) numbers.push_back(one);
  }
  auto made = block_model::read(numbers);
  if (!made) {
    std::cerr << path << " is no table\n";
    std::exit(2);
  }
  return std::move(*made);
}

std::string blocks_of(const page_file& page, const choice_report& report, bool is_part) {
  json::array blocks, boxes;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const auto& one = report.list.blocks[i];
    json::array said;
    for (auto at = one.first_word; at < one.end_word; ++at) said.push_back(report.list.words[at]);
    blocks.push_back({{"text", report.blocks[i].text},
                      {"words", one.words()},
                      {"box", one.box},
                      {"said", std::move(said)},
                      {"group", report.groups[i]},
                      {"p", report.blocks[i].probability}});
  }
  for (std::size_t i = 0; i < report.list.boxes.size(); ++i) {
    json::array words;
    for (const auto hash : report.words[i]) words.push_back(hash);
    boxes.push_back({{"parent", report.list.boxes[i].parent}, {"words", std::move(words)}});
  }
  json::object line{{"id", page.id}, {"part", is_part}, {"confidence", report.confidence}};
  line["blocks"] = std::move(blocks);
  line["boxes"] = std::move(boxes);
  return json::serialize(line);
}

/// What is seen of pages, for tests/bench/fit.
struct seen_files {
  std::ofstream blocks, features;

  [[nodiscard]] bool wanted() const { return blocks.is_open() || features.is_open(); }
  void add(const page_file& page, const choice_report& report, bool is_part);
};

void seen_files::add(const page_file& page, const choice_report& report, bool is_part) {
  if (blocks.is_open()) blocks << blocks_of(page, report, is_part) << '\n';
  for (const auto& row : report.rows) {
    features.write(reinterpret_cast<const char*>(row.data()), std::ssize(row));
  }
}

/// A short page that is cut out of a page: the same bytes, read without most of them.
void add_part(const page_file& page, const choice_report& whole, std::size_t number,
              freshet::markdown::page_options how, seen_files& seen) {
  std::string storage;
  const auto text = freshet::html::to_utf8_view(page.body, "text/html", storage).text;
  const auto tree = freshet::html::parse(text);
  how.exclude = freshet::bench::cuts_for(tree, whole.list, freshet::bench::shape_of(number));
  if (how.exclude.empty()) return;
  choice_report report;
  how.report = &report;
  const auto made = freshet::markdown::convert({page.body, "text/html", page.url}, how);
  if (made) seen.add(page, report, true);
}

/// What of a document the corpora know, too.
std::string about(const freshet::document& made) {
  json::array authors;
  for (const auto& one : made.authors) {
    authors.push_back({{"display_name", one.display_name}, {"url", one.url}});
  }
  json::object out{{"title", made.title}, {"authors", std::move(authors)}};
  if (made.created_at) out["created_at"] = freshet::base::format_time(*made.created_at);
  return json::serialize(out);
}

options read_options(int argc, char** argv) {
  options given;
  for (int i = 3; i < argc; ++i) {
    const std::string_view name = argv[i];
    const std::string value = i + 1 < argc ? argv[i + 1] : "";
    if (name == "--rounds") given.rounds = std::stoi(value);
    if (name == "--tables") given.tables = value;
    if (name == "--blocks") given.blocks = value;
    if (name == "--features") given.features = value;
    if (name == "--parts") given.parts = value;
    if (name.starts_with("--")) {
      ++i;
    } else {
      given.meta = name;
    }
  }
  return given;
}

/// The tables of the folds that pages have.
std::map<std::int64_t, block_model> read_tables(const std::string& folder,
                                                const std::vector<page_file>& pages) {
  std::map<std::int64_t, block_model> tables;
  if (folder.empty()) return tables;
  for (const auto& page : pages) {
    if (page.fold < 0 || tables.contains(page.fold)) continue;
    const auto name = "fold" + std::to_string(page.fold) + ".inc";
    tables.emplace(page.fold, read_table(fs::path(folder) / name));
  }
  return tables;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "bench_scrape IN_DIR OUT_DIR [meta.json [--rounds N] [--tables DIR] "
                 "[--blocks FILE] [--features FILE] [--parts yes]]\n";
    return 2;
  }
  const auto given = read_options(argc, argv);
  const auto pages = read_pages(argv[1], given.meta.empty() ? nullptr : given.meta.c_str());
  const auto tables = read_tables(given.tables, pages);
  fs::create_directories(argv[2]);
  seen_files seen;
  if (!given.blocks.empty()) seen.blocks.open(given.blocks);
  if (!given.features.empty()) seen.features.open(given.features, std::ios::binary);
  std::size_t bytes = 0;
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round < given.rounds; ++round) {
    bytes = 0;
    std::clock_t spent = 0;
    for (const auto& page : pages) {
      choice_report report;
      freshet::markdown::page_options how;
      if (const auto own = tables.find(page.fold); own != tables.end()) how.model = &own->second;
      if (seen.wanted() && round == 0) how.report = &report;
      const auto from = std::clock();
      const auto made = freshet::markdown::convert({page.body, "text/html", page.url}, how);
      spent += std::clock() - from;
      bytes += page.body.size();
      if (round > 0) continue;
      if (made) {
        const auto file = fs::path(argv[2]) / page.id;
        std::ofstream(file.string() + ".md") << made->document.markdown;
        std::ofstream(file.string() + ".json") << about(made->document);
      }
      if (!seen.wanted()) continue;
      seen.add(page, report, false);
      if (!given.parts.empty()) {
        add_part(page, report, static_cast<std::size_t>(&page - pages.data()), how, seen);
      }
    }
    best = std::min(best, static_cast<double>(spent) / CLOCKS_PER_SEC);
  }
  const double megabytes = static_cast<double>(bytes) / 1e6;
  std::cout << "{\"pages\": " << pages.size() << ", \"megabytes\": " << megabytes
            << ", \"megabytes_per_second\": " << megabytes / best << "}\n";
  return 0;
}
