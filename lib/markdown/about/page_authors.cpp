// The order of the evidence was measured (tests/bench/scrape --metadata).
#include <algorithm>
#include <array>
#include <base/byline.hpp>
#include <base/text_hash.hpp>
#include <base/unicode.hpp>
#include <html/document.hpp>
#include <markdown/about/page_authors.hpp>
#include <unordered_set>

namespace freshet::markdown {

namespace {

/// <meta> that names an author, the most deliberate first.
constexpr std::array<std::string_view, 11> author_names = {
    "author",         "citation_authors", "dc:creator",      "dc.creator",     "dcterms.creator",
    "parsely-author", "sailthru.author",  "citation_author", "article:author", "byl",
    "byline"};

/// Who keeps a site, as systems call them; a page may show who wrote it. Folded.
constexpr auto keepers = std::to_array<std::string_view>({"admin", "administrator", "superadmin",
                                                          "super admin", "superuser", "super user",
                                                          "site admin", "webadmin", "webmaster"});

/// The people of a byline, each once; an address is that of who is alone in it.
void add_people(std::vector<author>& out, std::string_view byline, std::string_view address = "") {
  const auto names = base::byline_names(base::nfc(html::decode_entities(byline)));
  for (const auto& name : names) {
    const bool known = std::ranges::find(out, name, &author::display_name) != out.end();
    const bool is_keeper = std::ranges::find(keepers, base::fold(name)) != keepers.end();
    if (known || is_keeper || out.size() >= base::max_byline_names) continue;
    out.push_back({"", "", name, names.size() == 1 ? std::string(address) : "", ""});
  }
}

/// Google Scholar's are "Byron, Ada" by definition.
std::string in_order(std::string_view meta_name, const std::string& person) {
  const auto comma = person.find(", ");
  if (meta_name != "citation_author" || comma == std::string::npos) return person;
  return person.substr(comma + 2) + " " + person.substr(0, comma);
}

/// Whether a text is one word in letters of a script that has spaces.
bool is_word(std::string_view text) {
  return text.find(' ') == std::string_view::npos &&
         (text.empty() || static_cast<unsigned char>(text[0]) < 0x80);
}

/// "a.byron", "byron7": how people sign in, not what they are called.
bool is_login(std::string_view name) {
  const bool is_small = !name.empty() && name[0] >= 'a' && name[0] <= 'z';
  return name.find(' ') == std::string_view::npos &&
         (is_small || name.find_first_of("0123456789._") != std::string_view::npos);
}

std::vector<author> all_told(const author_evidence& evidence) {
  std::vector<author> out;
  for (const auto& [byline, address] : evidence.linked) add_people(out, byline, address);
  for (const auto name : author_names) {
    if (!out.empty()) return out;
    for (const auto& [said, person] : evidence.named) {
      const bool is_address = person.find("://") != std::string::npos;
      if (said == name && !is_address) add_people(out, in_order(name, person));
    }
  }
  for (const auto& [label, data] : evidence.labelled) {
    // "Written by", in the site's language.
    if (out.empty() && !base::introduced_names(label + ": x").empty()) add_people(out, data);
  }
  // It may be that of a teaser.
  if (out.empty()) add_people(out, evidence.property);
  return out;
}

/// The same without the site beside people.
std::vector<author> told_to_machines(const author_evidence& evidence, const site_name& site) {
  auto out = all_told(evidence);
  const auto is_site = [&](const author& one) { return site.is(one.display_name); };
  if (!std::ranges::all_of(out, is_site)) std::erase_if(out, is_site);
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

/// Whether what the page shows names others, in two words or more: who put a page in is not always
/// who wrote it.
bool are_others(const std::vector<author>& shown, const std::vector<author>& told,
                const site_name& site) {
  std::unordered_set<std::string, base::text_hash> words;
  for (const auto& one : told) {
    const auto compared = comparable(one.display_name);
    for (const auto word : words_in(compared)) words.emplace(word);
  }
  return !shown.empty() && std::ranges::all_of(shown, [&](const author& one) {
    const auto compared = comparable(one.display_name);
    const auto own = words_in(compared);
    return own.size() > 1 && !site.is(one.display_name) &&
           std::ranges::none_of(
               own, [&](std::string_view word) { return words.contains(std::string(word)); });
  });
}

/// "Ada Byron Gardener" is Ada Byron, if a link or a box holds her name alone.
void cut_to_names(std::vector<author>& people, const author_evidence& evidence) {
  for (auto& one : people) {
    for (const auto* name : {&evidence.boxed_name, &evidence.linked_by_rel, &evidence.linked_to}) {
      const bool is_whole = name->find(' ') != std::string::npos || *name == evidence.linked_to;
      if (is_whole && one.display_name.size() > name->size() && name->size() > 2 &&
          one.display_name.starts_with(*name)) {
        one.display_name = *name;
      }
    }
  }
}

}  // namespace

bool names_author(std::string_view meta_name) noexcept {
  return std::ranges::find(author_names, meta_name) != author_names.end();
}

std::vector<author> page_authors(const author_evidence& evidence, const site_name& site) {
  auto told = told_to_machines(evidence, site);
  const bool of_site = is_of_site(told, evidence, site);
  if (!told.empty() && !of_site && !are_logins(told)) {
    std::vector<author> shown;
    add_people(shown, evidence.shown);
    return are_others(shown, told, site) ? shown : told;
  }
  using bylines = std::vector<const std::string*>;
  // In forums people are called as they sign in, and boxes hold more than names.
  const auto shown = of_site
                         ? bylines{&evidence.shown,  &evidence.linked_by_rel, &evidence.boxed_name,
                                   &evidence.boxed,  &evidence.linked_to,     &evidence.beside_day,
                                   &evidence.closing}
                         : bylines{&evidence.shown, &evidence.boxed_name};
  for (const auto* byline : shown) {
    // A word alone is no better than that, and in a box worse than a link to a whole name.
    const bool is_better = byline == &evidence.boxed && !is_word(evidence.linked_to);
    if ((!told.empty() || is_better) && is_word(*byline)) continue;
    std::vector<author> people;
    add_people(people, *byline);
    cut_to_names(people, evidence);
    const bool same = !told.empty() && std::ranges::all_of(people, [&](const author& one) {
      return site.is(one.display_name);
    });
    if (!people.empty() && !same) return people;
  }
  return told;
}

std::string authors_place(const author_evidence& said, const std::vector<author>& people) {
  if (people.empty()) return {};
  const auto& name = people.front().display_name;
  const auto names = [&name](std::string_view byline) {
    return byline.find(name) != std::string_view::npos;
  };
  const auto any = [&](const author_evidence::pairs& list, auto part) {
    return std::ranges::any_of(list, names, part);
  };
  if (any(said.linked, &std::pair<std::string, std::string>::first)) return "json-ld";
  if (any(said.named, &std::pair<std::string, std::string>::second) ||
      any(said.named, &std::pair<std::string, std::string>::first) ||
      any(said.labelled, &std::pair<std::string, std::string>::second)) {
    return "meta";
  }
  return names(said.property) ? "microdata" : "page";
}

}  // namespace freshet::markdown
