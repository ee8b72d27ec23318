// Makes the guides that people read of those in the tree, while it is built: in the place of a line
// "*Table of NAME: …*" comes that table, out of what the program itself uses. A name that is none,
// and a table that no guide shows, are errors. It is not installed.
// Usage: freshet_guides FROM TO
#include <cstdlib>
#include <filesystem>
#include <freshet/config.hpp>
#include <freshet/engine.hpp>
#include <freshet/guide_tables.hpp>
#include <fstream>
#include <initializer_list>
#include <iostream>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace freshet {
namespace {

std::string settings_table() {
  std::string out = table_head({"Setting", "Default", "Meaning"});
  for (const auto& key : config_keys()) {
    add_table_row(out, {in_code(key.name), in_code(key.fallback), key.doc});
  }
  return out;
}

struct error_row {
  std::string_view code;
  int status;
  bool is_retryable;
  std::string_view help;
};
constexpr error_row errors[] = {
#define FRESHET_ERRC(number, name, status, retryable, title, help) {#name, status, retryable, help},
#include <freshet/errc.def>
#undef FRESHET_ERRC
};

std::string errors_table() {
  std::string out = table_head({"Code", "Status", "Meaning"});
  for (const auto& one : errors) {
    add_table_row(out,
                  {in_code(one.code),
                   std::to_string(one.status) + (one.is_retryable ? ", retryable" : ""), one.help});
  }
  return out;
}

constexpr std::string_view firecrawl_scrape = "/v2/scrape", firecrawl_search = "/v2/search",
                           tavily_search = "/search", tavily_extract = "/extract",
                           tavily_map = "/map", tavily_crawl = "/crawl";
struct field_row {
  std::string_view route, name, treatment, note;
};
constexpr field_row fields[] = {
#define DROPIN_FIELD(route, name, kind, treatment, accepted, note) {route, #name, #treatment, note},
#include <server/dropin/fields.def>
#undef DROPIN_FIELD
};

std::string fields_table() {
  std::string out = table_head({"Call", "Field", "Treatment", "What becomes of it"});
  for (const auto& one : fields) {
    add_table_row(out, {in_code(one.route), in_code(one.name), one.treatment, one.note});
  }
  return out;
}

struct table {
  std::string_view name;
  std::string (*make)();
};
constexpr table tables[] = {
    {"settings", settings_table}, {"endpoints", endpoints_table},
    {"errors", errors_table},     {"common parameters", common_parameters_table},
    {"sources", sources_table},   {"fields", fields_table},
};

/// The name of the table that a line is the place of.
std::optional<std::string_view> place_of_table(std::string_view line) {
  constexpr std::string_view opening = "*Table of ";
  const auto colon = line.find(':');
  if (!line.starts_with(opening) || !line.ends_with('*') || colon == line.npos) return {};
  return line.substr(opening.size(), colon - opening.size());
}

/// What is wrong; empty: nothing.
std::string fill(std::istream& guide, std::string& filled, std::set<std::string_view>& shown) {
  for (std::string line; std::getline(guide, line);) {
    const auto name = place_of_table(line);
    if (!name) {
      filled += line + "\n";
      continue;
    }
    const auto* found = std::begin(tables);
    while (found != std::end(tables) && found->name != *name) ++found;
    if (found == std::end(tables)) return "there is no table of " + std::string(*name);
    shown.insert(found->name);
    filled += found->make();
  }
  return {};
}

int make_guides(const std::filesystem::path& tree, const std::filesystem::path& made) {
  std::set<std::string_view> shown;
  std::filesystem::remove_all(made);
  std::filesystem::create_directories(made);
  for (const auto& entry : std::filesystem::directory_iterator(tree)) {
    std::ifstream guide(entry.path());
    std::string filled;
    const auto wrong = fill(guide, filled, shown);
    std::ofstream file(made / entry.path().filename());
    if (wrong.empty() && file << filled << std::flush) continue;
    std::cerr << entry.path().filename().string() << ": "
              << (wrong.empty() ? "cannot be written" : wrong) << "\n";
    return EXIT_FAILURE;
  }
  for (const auto& one : tables) {
    if (shown.contains(one.name)) continue;
    std::cerr << "no guide shows the table of " << one.name << "\n";
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace freshet

int main(int count, char** words) {
  if (count == 3) return freshet::make_guides(words[1], words[2]);
  std::cerr << "usage: freshet_guides FROM TO\n";
  return EXIT_FAILURE;
}
