// The order of the evidence was measured (tests/bench/scrape --metadata).
#include <algorithm>
#include <array>
#include <base/byline.hpp>
#include <base/unicode.hpp>
#include <html/document.hpp>
#include <markdown/about/page_authors.hpp>

namespace freshet::markdown {

namespace {

/// <meta> that names an author, the most deliberate first.
constexpr std::array<std::string_view, 9> author_names = {
    "author",          "dc:creator",     "dc.creator",
    "dcterms.creator", "parsely-author", "sailthru.author",
    "citation_author", "article:author", "byl"};

/// The people of a byline, each once; an address is that of who is alone in it.
void add_people(std::vector<author>& out, std::string_view byline, std::string_view address = "") {
  const auto names = base::byline_names(base::nfc(html::decode_entities(byline)));
  for (const auto& name : names) {
    const bool known = std::ranges::find(out, name, &author::display_name) != out.end();
    if (known || out.size() >= base::max_byline_names) continue;
    out.push_back({"", "", name, names.size() == 1 ? std::string(address) : "", ""});
  }
}

/// Google Scholar's are "Byron, Ada" by definition.
std::string in_order(std::string_view meta_name, const std::string& person) {
  const auto comma = person.find(", ");
  if (meta_name != "citation_author" || comma == std::string::npos) return person;
  return person.substr(comma + 2) + " " + person.substr(0, comma);
}

/// "a.byron", "byron7": how people sign in, not what they are called.
bool is_login(std::string_view name) {
  const bool is_small = !name.empty() && name[0] >= 'a' && name[0] <= 'z';
  return name.find(' ') == std::string_view::npos &&
         (is_small || name.find_first_of("0123456789._") != std::string_view::npos);
}

std::vector<author> told_to_machines(const author_evidence& evidence) {
  std::vector<author> out;
  for (const auto& [byline, address] : evidence.linked) add_people(out, byline, address);
  for (const auto name : author_names) {
    if (!out.empty()) return out;
    for (const auto& [said, person] : evidence.named) {
      const bool is_address = person.find("://") != std::string::npos;
      if (said == name && !is_address) add_people(out, in_order(name, person));
    }
  }
  if (out.empty()) add_people(out, evidence.property);
  for (const auto& [label, data] : evidence.labelled) {
    // "Written by", in the site's language.
    if (out.empty() && !base::introduced_names(label + ": x").empty()) add_people(out, data);
  }
  return out;
}

bool are_logins(const std::vector<author>& people) {
  return std::ranges::all_of(people, [](const author& one) { return is_login(one.display_name); });
}

/// Whether a site or an organisation is all that is told.
bool is_of_site(const std::vector<author>& people, const author_evidence& evidence,
                const site_name& site) {
  if (evidence.by_organisation && !evidence.linked.empty()) return true;
  return std::ranges::all_of(people, [&](const author& one) { return site.is(one.display_name); });
}

}  // namespace

bool names_author(std::string_view meta_name) noexcept {
  return std::ranges::find(author_names, meta_name) != author_names.end();
}

bool needs_shown(const author_evidence& evidence, const site_name& site) {
  const auto told = told_to_machines(evidence);
  return told.empty() || is_of_site(told, evidence, site) || are_logins(told);
}

std::vector<author> page_authors(const author_evidence& evidence, const site_name& site) {
  auto told = told_to_machines(evidence);
  const bool of_site = is_of_site(told, evidence, site);
  if (!told.empty() && !of_site && !are_logins(told)) return told;
  using bylines = std::vector<const std::string*>;
  // In forums people are called as they sign in, and boxes hold more than names.
  const auto shown = of_site ? bylines{&evidence.shown, &evidence.linked_by_rel,
                                       &evidence.boxed_name, &evidence.boxed, &evidence.linked_to}
                             : bylines{&evidence.shown, &evidence.boxed_name};
  for (const auto* byline : shown) {
    // A word alone is no better than that.
    if (!told.empty() && byline->find(' ') == std::string::npos) continue;
    std::vector<author> people;
    add_people(people, *byline);
    if (!people.empty()) return people;
  }
  return told;
}

}  // namespace freshet::markdown
