// Finding the pages, converting them in parallel, and saying how far it is.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <server/commands/commands.hpp>
#include <server/commands/markdown_batch.hpp>
#include <server/terminal/screen.hpp>
#include <set>
#include <thread>

namespace freshet::server {
namespace {

namespace fs = std::filesystem;
using seconds = std::chrono::duration<double>;

/// What is taken from a folder. A file that is named itself is taken whatever its ending.
constexpr std::array<std::string_view, 3> page_endings = {".html", ".htm", ".xhtml"};
/// A terminal is told of progress this often; a log gets a line for each tenth of the pages.
constexpr seconds progress_interval{0.2};
constexpr std::size_t progress_lines = 10;

struct saved_page {
  fs::path from;
  fs::path name;  ///< below the folder it was found in
};

bool is_page(const fs::path& path) {
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::find(page_endings, ending) != page_endings.end();
}

result<std::vector<saved_page>> find_pages(const std::vector<std::string>& sources) {
  std::vector<saved_page> found;
  std::error_code failed;
  for (const std::string& source : sources) {
    if (!fs::is_directory(source, failed)) {
      if (!fs::exists(source, failed)) {
        return error(errc::invalid_request, source + ": there is no such file or folder");
      }
      found.push_back({source, fs::path(source).filename()});
      continue;
    }
    fs::recursive_directory_iterator entries(source, failed);
    for (; !failed && entries != fs::recursive_directory_iterator(); entries.increment(failed)) {
      if (!entries->is_regular_file(failed) || !is_page(entries->path())) continue;
      found.push_back({entries->path(), entries->path().lexically_relative(source)});
    }
    if (failed) return error(errc::invalid_request, source + ": " + failed.message());
  }
  std::ranges::sort(found,
                    [](const saved_page& a, const saved_page& b) { return a.from < b.from; });
  return found;
}

/// The names of the results: the page's with another ending, or with the ending added where two
/// pages differ in theirs only.
std::vector<fs::path> result_names(const std::vector<saved_page>& pages, const char* ending) {
  std::vector<fs::path> names;
  std::set<fs::path> taken;
  for (const saved_page& page : pages) {
    fs::path name = page.name;
    name.replace_extension(ending);
    if (!taken.insert(name).second) {
      name = page.name;
      name += ending;
      for (int copy = 2; !taken.insert(name).second; ++copy) {
        name = page.name;
        name += "." + std::to_string(copy) + ending;
      }
    }
    names.push_back(std::move(name));
  }
  return names;
}

class batch_run {
 public:
  batch_run(const markdown_batch& order, std::vector<saved_page> pages)
      : what_(order),
        pages_(std::move(pages)),
        names_(result_names(pages_, order.as_json ? ".json" : ".md")),
        on_terminal_(::isatty(STDERR_FILENO) == 1) {}

  int run();

 private:
  void work();
  void convert(std::size_t at);
  result<std::string> text_of(const saved_page& page);
  void write(const fs::path& name, const std::string& text, const fs::path& page);
  void fail(const fs::path& page, const std::string& why);
  void show_progress();

  const markdown_batch& what_;
  const std::vector<saved_page> pages_;
  const std::vector<fs::path> names_;
  const bool on_terminal_;
  std::atomic<std::size_t> next_{0}, done_{0}, failed_{0}, bytes_{0};
  std::mutex output_;
  std::chrono::steady_clock::time_point shown_at_;
  std::size_t shown_tenths_ = 0;
};

void batch_run::fail(const fs::path& page, const std::string& why) {
  ++failed_;
  const std::lock_guard lock(output_);
  // What could not be read is named already.
  const auto named = why.starts_with(page.string()) ? std::string() : page.string() + ": ";
  const std::string text = "freshet: " + named + why;
  std::cerr << (on_terminal_ ? "\r" + harmless(text, true) : text) << "\n";
}

result<std::string> batch_run::text_of(const saved_page& page) {
  auto read = read_file(page.from.string());
  if (!read) return read.error();
  bytes_ += read->size();
  markdown_options how = what_.how;
  if (!how.url.empty()) {
    if (!how.url.ends_with('/')) how.url += '/';
    how.url += page.name.generic_string();
  }
  auto made = to_markdown(*read, how);
  if (!made) return made.error();
  std::string text = what_.as_json ? item_json(*made) : std::move(made->markdown);
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

void batch_run::write(const fs::path& name, const std::string& text, const fs::path& page) {
  const fs::path target = fs::path(what_.output) / name;
  fs::path part = target;
  part += ".part";
  std::error_code failed;
  fs::create_directories(target.parent_path(), failed);
  if (failed) return fail(page, target.parent_path().string() + ": " + failed.message());
  {
    std::ofstream file(part, std::ios::binary);
    file << text << std::flush;
    if (!file) {
      fs::remove(part, failed);
      return fail(page, target.string() + ": cannot be written");
    }
  }
  fs::rename(part, target, failed);
  if (failed) fail(page, target.string() + ": " + failed.message());
}

void batch_run::convert(std::size_t at) {
  const saved_page& page = pages_[at];
  const auto text = text_of(page);
  if (text) {
    write(names_[at], *text, page.from);
  } else {
    fail(page.from, text.error().detail());
  }
}

void batch_run::show_progress() {
  const std::lock_guard lock(output_);
  const std::size_t done = done_;
  const auto now = std::chrono::steady_clock::now();
  if (on_terminal_) {
    if (now - shown_at_ < progress_interval && done < pages_.size()) return;
    shown_at_ = now;
    std::cerr << "\r" << done << " of " << pages_.size() << " pages" << std::flush;
    return;
  }
  const std::size_t tenths = done * progress_lines / pages_.size();
  if (tenths == shown_tenths_) return;
  shown_tenths_ = tenths;
  std::cerr << done << " of " << pages_.size() << " pages\n";
}

void batch_run::work() {
  while (true) {
    const std::size_t at = next_++;
    if (at >= pages_.size()) return;
    convert(at);
    ++done_;
    show_progress();
  }
}

int batch_run::run() {
  const auto from = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < std::min(what_.threads, pages_.size()); ++i) {
    threads.emplace_back([this] { work(); });
  }
  work();
  for (auto& thread : threads) thread.join();
  const double spent = seconds(std::chrono::steady_clock::now() - from).count();
  char figures[96];
  std::snprintf(figures, sizeof figures, "%.1f MB in %.1f s", static_cast<double>(bytes_) / 1e6,
                spent);
  std::cerr << (on_terminal_ ? "\n" : "") << pages_.size() - failed_ << " of " << pages_.size()
            << " pages converted into " << what_.output << " (" << figures << ")\n";
  return failed_ == 0 ? exit_ok : exit_failed;
}

}  // namespace

int run_batch(const invocation& line, const markdown_batch& batch) {
  auto pages = find_pages(batch.sources);
  if (!pages) return failed_with(line, pages.error());
  if (pages->empty()) {
    return failed_with(line,
                       error(errc::invalid_request,
                             "no page was found: a page's name ends with .html, .htm or .xhtml"));
  }
  return batch_run(batch, std::move(*pages)).run();
}

}  // namespace freshet::server
