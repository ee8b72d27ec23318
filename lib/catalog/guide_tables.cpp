// The guide's tables of endpoints and of the parameters that they share, from the catalogue's rows.
// It knows no prices but the defaults.
#include <algorithm>
#include <catalog/endpoint.hpp>
#include <freshet/guide_tables.hpp>
#include <string_view>
#include <vector>

namespace freshet {
namespace {

using catalog::endpoint;
using catalog::parameter;

void add(std::string& list, std::string_view separator, const std::string& entry) {
  if (!list.empty()) list += separator;
  list += entry;
}

bool is_one_of(const endpoint& endpoint, std::string_view name) {
  return std::ranges::find(endpoint.one_of, name) != endpoint.one_of.end();
}

/// Its own parameters; one of several that will do stands with the others.
std::string own_parameters(const endpoint& of) {
  std::string out, either;
  for (const auto& one : of.own) {
    if (is_one_of(of, one.name)) add(either, " or ", in_code(one.name));
  }
  if (!either.empty()) out = either;
  for (const auto& one : of.own) {
    if (is_one_of(of, one.name)) continue;
    add(out, ", ", one.required ? "**" + in_code(one.name) + "**" : in_code(one.name));
  }
  return out;
}

std::string price_of(const endpoint& of) {
  std::string out = of.parts.empty() ? "" : "up to ";
  out += std::to_string(of.credits);
  if (of.render_credits == 0) return out;
  return out + ", rendered " + std::to_string(of.credits + of.render_credits);
}

/// Endpoints by what they are, to tell who takes a parameter by few exceptions.
struct kind_of_endpoint {
  std::string_view name;
  bool (*has)(const endpoint& one);
};
bool is_list(const endpoint& one) { return one.shape == catalog::answer_shape::list; }
bool is_of_platform(const endpoint& one) { return one.scope == catalog::scope::read; }
constexpr kind_of_endpoint kinds[] = {
    {"all", [](const endpoint&) { return true; }},
    {"all but those of `account`", is_of_platform},
    {"all but those of `account` and `scrape`",
     [](const endpoint& one) { return is_of_platform(one) && one.platform != "scrape"; }},
    {"lists", is_list},
    {"lists of the platforms",
     [](const endpoint& one) { return is_list(one) && is_of_platform(one); }},
    {"", [](const endpoint&) { return false; }},
};

/// Who takes it, by the kind that has the fewest exceptions.
std::string takers_of(std::string_view name) {
  std::string best;
  std::size_t fewest = catalog::endpoints().size() + 1;
  for (const auto& one : kinds) {
    std::string without, beside;
    std::size_t exceptions = 0;
    for (const auto& endpoint : catalog::endpoints()) {
      const bool takes = catalog::find_parameter(endpoint, name) != nullptr;
      if (takes == one.has(endpoint)) continue;
      ++exceptions;
      add(takes ? beside : without, ", ", in_code(endpoint.path));
    }
    if (exceptions >= fewest) continue;
    fewest = exceptions;
    best = one.name;
    if (!without.empty()) best += " but " + without;
    if (!beside.empty()) add(best, without.empty() ? ", " : "; ", beside);
  }
  return best;
}

std::string meaning_of(const parameter& of) {
  std::string out(of.doc);
  if (of.type == catalog::value_type::integer && !of.fallback.empty()) {
    out += "; " + std::to_string(of.min) + " to " + std::to_string(of.max);
  }
  if (!of.fallback.empty()) out += "; default " + in_code(of.fallback);
  return out;
}

}  // namespace

void add_table_row(std::string& table, std::initializer_list<std::string_view> cells) {
  table += "|";
  for (const auto text : cells) {
    if (!text.empty()) table += " ";
    for (const char c : text) {
      if (c == '|') table += "\\";
      table += c;
    }
    table += " |";
  }
  table += "\n";
}

std::string table_head(std::initializer_list<std::string_view> columns) {
  std::string out;
  add_table_row(out, columns);
  out += "|";
  for (std::size_t i = 0; i < columns.size(); ++i) out += "---|";
  return out + "\n";
}

std::string in_code(std::string_view text) {
  return text.empty() ? std::string() : "`" + std::string(text) + "`";
}

std::string endpoints_table() {
  std::string out = table_head({"Path", "Parameters", "Credits", "What it gives"});
  for (const auto& one : catalog::endpoints()) {
    add_table_row(out, {in_code(one.path), own_parameters(one), price_of(one), one.summary});
  }
  return out;
}

std::string common_parameters_table() {
  std::string out = table_head({"Common parameter", "Taken by", "Meaning"});
  std::vector<std::string_view> told;
  for (const auto& endpoint : catalog::endpoints()) {
    for (const auto& one : endpoint.common) {
      if (std::ranges::find(told, one.name) != told.end()) continue;
      told.push_back(one.name);
      add_table_row(out, {in_code(one.name), takers_of(one.name), meaning_of(one)});
    }
  }
  return out;
}

}  // namespace freshet
