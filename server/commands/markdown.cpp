// `freshet markdown`: one page from a file or standard input to standard output, or with --out many
// pages to a folder. No network, no account.
#include <array>
#include <iostream>
#include <iterator>
#include <server/commands/commands.hpp>
#include <server/commands/markdown_batch.hpp>
#include <server/number.hpp>
#include <server/terminal/screen.hpp>
#include <thread>

namespace freshet::server {
namespace {

constexpr std::size_t most_threads = 64;

/// What the options ask for, or what is wrong with them.
result<markdown_options> read_how(const parsed_options& given) {
  markdown_options how;
  how.url = given.text("--url");
  how.mode = given.text("--mode", how.mode);
  how.links = given.text("--links", how.links);
  how.include = given.all("--include");
  how.exclude = given.all("--exclude");
  how.images = !given.has("--no-images");
  how.safety = given.text("--safety", how.safety);
  if (how.mode != "article" && how.mode != "page") {
    return error(errc::invalid_request, "--mode is article or page, not '" + how.mode + "'");
  }
  if (how.links != "inline" && how.links != "footnotes" && how.links != "none") {
    return error(errc::invalid_request,
                 "--links is inline, footnotes or none, not '" + how.links + "'");
  }
  if (how.safety != "report" && how.safety != "strip" && how.safety != "refuse") {
    return error(errc::invalid_request,
                 "--safety is report, strip or refuse, not '" + how.safety + "'");
  }
  return how;
}

/// How one page is answered.
enum class answer { markdown, json, explanation };

int convert_one(const invocation& invocation, const markdown_options& how, answer wanted) {
  const std::vector<std::string>& operands = invocation.options.operands();
  std::string html;
  if (operands.empty() || operands[0] == "-") {
    say_what_is_awaited("type HTML, then Ctrl-D; a file: freshet markdown page.html");
    html.assign(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  } else {
    result<std::string> read = read_file(operands[0]);
    if (!read) return failed_with(invocation, read.error());
    html = std::move(*read);
  }
  std::vector<std::string> warnings;
  std::string explanation;
  const result<document> made =
      to_markdown(html, how, &warnings, wanted == answer::explanation ? &explanation : nullptr);
  if (!made) return failed_with(invocation, made.error());
  for (const std::string& warning : warnings) std::cerr << "freshet: " << harmless(warning) << "\n";
  std::string text = wanted == answer::explanation ? explanation
                     : wanted == answer::json      ? item_json(*made)
                                                   : made->markdown;
  if (!text.ends_with('\n')) text += '\n';
  return finish(print_foreign(text));
}

int convert_markdown(const invocation& with) {
  const auto& given = with.options;
  auto how = read_how(given);
  if (!how) return wrong_usage(how.error().detail());
  const bool as_json = given.has("--json");
  if (!given.has("--out")) {
    if (given.has("--jobs")) return wrong_usage("--jobs is for many pages: give --out too");
    if (given.operands().size() > 1) {
      return wrong_usage("several pages need --out DIR, which gets a file for each");
    }
    return convert_one(with, *how,
                       given.has("--explain") ? answer::explanation
                       : as_json              ? answer::json
                                              : answer::markdown);
  }
  if (given.has("--explain")) return wrong_usage("--explain is for one page: leave --out away");
  if (given.operands().empty()) return wrong_usage("--out needs pages: give files or folders");
  markdown_batch many{given.operands(), given.text("--out"), std::move(*how), as_json,
                      std::max(1u, std::thread::hardware_concurrency())};
  if (given.has("--jobs")) {
    const std::string jobs = given.text("--jobs");
    const auto threads = parse_number(jobs, std::size_t{1}, most_threads);
    if (!threads) {
      return wrong_usage("--jobs is a whole number from 1 to " + std::to_string(most_threads) +
                         ", not '" + jobs + "'");
    }
    many.threads = *threads;
  }
  return run_batch(with, many);
}

constexpr option_spec markdown_option_table[] = {
    {"--url", "URL", "where the page, or the folder of pages, is from"},
    {"--mode", "MODE", "article (default): the main content; page: all that is visible"},
    {"--include", "SELECTOR", "only these parts (CSS); may be repeated", true},
    {"--exclude", "SELECTOR", "without these parts (CSS); may be repeated", true},
    {"--links", "STYLE", "inline (default), footnotes or none"},
    {"--no-images", "", "leave pictures out"},
    {"--safety", "MODE",
     "what looks like an instruction to a model: report (default, in --json), strip or refuse"},
    {"--json", "", "the whole document as JSON: title, author, date, links, ..."},
    {"--explain", "", "instead of the markdown: what was chosen and why, block by block"},
    {"--out", "DIR", "convert many pages: files and folders, a result for each in DIR"},
    {"--jobs", "N", "threads for --out (default: one a core)"}};

constexpr command markdown_rows[] = {
    {"markdown", "[FILE...]", "Convert saved HTML pages to markdown; no network.",
     "freshet markdown --url https://example.org/ --out notes saved-pages/", convert_markdown,
     markdown_option_table},
};

}  // namespace

std::span<const command> markdown_commands() noexcept { return markdown_rows; }

}  // namespace freshet::server
