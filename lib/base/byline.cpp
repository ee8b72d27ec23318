// A byline is cut at what divides names for certain (semicolons, bars), then at commas, then at the
// words for "and". Titles behind a comma stay with their name, and so do the halves of "Byron, A.".
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/byline.hpp>
#include <base/unicode.hpp>
#include <span>

namespace freshet::base {

namespace {

using word_list = std::span<const std::string_view>;

/// A longer text is no byline.
constexpr std::size_t longest_byline = 1000;

// The words stand as base::fold() makes them.

/// Before the names, with a space or a colon behind it.
constexpr auto introductions = std::to_array<std::string_view>({"by",
                                                                "written by",
                                                                "authored by",
                                                                "words by",
                                                                "posted by",
                                                                "published by",
                                                                "started by",
                                                                "story by",
                                                                "article by",
                                                                "articles by",
                                                                "recipe by",
                                                                "report by",
                                                                "text by",
                                                                "von",
                                                                "artikel von",
                                                                "beitrag von",
                                                                "text von",
                                                                "geschrieben von",
                                                                "verfasst von",
                                                                "begonnen von",
                                                                "por",
                                                                "escrito por",
                                                                "publicado por",
                                                                "iniciado por",
                                                                "par",
                                                                "écrit par",
                                                                "publié par",
                                                                "rédigé par",
                                                                "démarré par",
                                                                "di",
                                                                "a cura di",
                                                                "articolo di",
                                                                "scritto da",
                                                                "aperto da",
                                                                "door",
                                                                "geschreven door",
                                                                "gestart door",
                                                                "av",
                                                                "skrevet av",
                                                                "skriven av",
                                                                "af",
                                                                "skrevet af",
                                                                "kirjoittanut",
                                                                "oleh",
                                                                "опубликовал",
                                                                "yazan",
                                                                "przez",
                                                                "napisał",
                                                                "napsal",
                                                                "this post was written by",
                                                                "this article was written by"});

/// The same as labels: what is no name itself.
constexpr auto labels = std::to_array<std::string_view>(
    {"written",  "posted",        "the author", "topic author", "about the author",
     "author",   "authors",       "words",      "author(s)",    "autor",
     "autoren",  "autorin",       "text",       "autora",       "autores",
     "auteur",   "auteurs",       "autrice",    "autore",       "tekst",
     "skribent", "penulis",       "reporter",   "автор",        "авторы",
     "текст",    "szerző",        "作者",       "文",           "記者",
     "撰文",     "執筆",          "著者",       "글",           "tác giả",
     "责编",     "thread starter"});

/// Between two names, with a space on each side.
constexpr auto conjunctions = std::to_array<std::string_view>(
    {"and", "und", "et", "y", "e",   "i",    "og",   "och", "en", "ja", "ve", "и",
     "та",  "και", "&",  "+", "dan", "oraz", "with", "mit", "a",  "és", "और", "و"});

/// Between a name and the place it was written in.
constexpr auto place_words = std::to_array<std::string_view>({"in", "en", "à", "aus", "i"});

/// Agencies whose names look like titles.
constexpr auto agencies = std::to_array<std::string_view>(
    {"AFP",  "AP",  "APA", "AAP", "ANI", "ANP", "ANSA", "ATS", "BBC", "CNN", "DPA",  "EFE", "EPD",
     "IANS", "KNA", "NPR", "NTB", "PA",  "PAP", "PTI",  "SDA", "SID", "STA", "TASS", "TT",  "UPI"});

/// What people are: behind a comma it is said of who stands before it.
constexpr auto roles = std::to_array<std::string_view>({"founder",
                                                        "co-founder",
                                                        "cofounder",
                                                        "owner",
                                                        "co-owner",
                                                        "ceo",
                                                        "cto",
                                                        "cfo",
                                                        "president",
                                                        "director",
                                                        "manager",
                                                        "editor",
                                                        "writer",
                                                        "reporter",
                                                        "correspondent",
                                                        "contributor",
                                                        "columnist",
                                                        "author",
                                                        "journalist",
                                                        "expert",
                                                        "specialist",
                                                        "analyst",
                                                        "consultant",
                                                        "engineer",
                                                        "developer",
                                                        "scientist",
                                                        "researcher",
                                                        "professor",
                                                        "lecturer",
                                                        "attorney",
                                                        "physician",
                                                        "nutritionist",
                                                        "dietitian",
                                                        "therapist",

                                                        "winemaker",
                                                        "psychologist",
                                                        "psychiatrist",
                                                        "advisor",
                                                        "strategist",
                                                        "designer",
                                                        "educator",
                                                        "chef",
                                                        "gardener",
                                                        "horticulturalist",
                                                        "redakteur",
                                                        "redakteurin",
                                                        "chefredakteur",
                                                        "korrespondent",
                                                        "geschäftsführer",

                                                        "autor",
                                                        "autorin",
                                                        "rédacteur",
                                                        "rédactrice",
                                                        "journaliste",
                                                        "correspondant",
                                                        "correspondante",
                                                        "directeur",
                                                        "directrice",
                                                        "fondateur",
                                                        "redactor",
                                                        "redactora",
                                                        "periodista",
                                                        "corresponsal",
                                                        "directora",
                                                        "redattore",
                                                        "redattrice",
                                                        "giornalista",
                                                        "corrispondente",
                                                        "direttore",
                                                        "jornalista",
                                                        "repórter",
                                                        "diretor",
                                                        "redacteur",
                                                        "verslaggever",
                                                        "profesorius",
                                                        "redaktør",
                                                        "redaktör",
                                                        "redaktor",
                                                        "dziennikarz",
                                                        "редактор",
                                                        "журналист",
                                                        "корреспондент",
                                                        "muhabir",
                                                        "編集者",
                                                        "记者",
                                                        "기자"});

/// What templates write where no author is known.
constexpr auto no_names = std::to_array<std::string_view>({"undefined", "null"});

/// Beside the comma, those of other scripts.
constexpr auto commas = std::to_array<std::string_view>({",", "、", "，", "،"});
constexpr auto spaces = std::to_array<std::string_view>({" "});
constexpr auto strong_dividers = std::to_array<std::string_view>({";", " | ", "•", " · ", " / "});

bool is_one_of(std::string_view word, word_list list) {
  return std::ranges::find(list, word) != list.end();
}

std::size_t count_words(std::string_view text) {
  return text.empty() ? 0 : static_cast<std::size_t>(std::ranges::count(text, ' ')) + 1;
}

/// The parts of a text between dividers, trimmed; empty ones are left out.
std::vector<std::string_view> parts_between(std::string_view text, word_list dividers) {
  std::vector<std::string_view> out;
  std::size_t begin = 0, at = 0;
  const auto keep = [&](std::size_t end) {
    const auto part = trim(text.substr(begin, end - begin));
    if (!part.empty()) out.push_back(part);
  };
  while (at < text.size()) {
    const auto found = std::ranges::find_if(
        dividers, [&](std::string_view one) { return text.substr(at).starts_with(one); });
    if (found == dividers.end()) {
      ++at;
      continue;
    }
    keep(at);
    at += found->size();
    begin = at;
  }
  keep(text.size());
  return out;
}

/// "J.", "PhD", "M.D.", "CEPF®": capitals or full stops, and never two small letters in a row.
bool is_title_word(std::string_view word) {
  std::size_t capitals = 0, stops = 0, small_run = 0;
  for (const char c : word) {
    capitals += c >= 'A' && c <= 'Z';
    stops += c == '.';
    small_run = c >= 'a' && c <= 'z' ? small_run + 1 : 0;
    if (small_run > 1) return false;
  }
  return capitals > 1 || (capitals == 1 && stops > 0);
}

/// Whether a part behind a comma belongs to the name before it: initials or a title.
bool is_title(std::string_view part) {
  constexpr std::size_t longest = 10;
  if (part.size() > longest || is_one_of(part, agencies)) return false;
  return std::ranges::all_of(parts_between(part, spaces), is_title_word);
}

/// "Ada Byron in Oslo" without the place; a name has two words, and a place a capital.
std::string_view without_place(std::string_view name) {
  for (auto at = name.find(' '); at != std::string_view::npos; at = name.find(' ', at + 1)) {
    const auto end = name.find(' ', at + 1);
    if (end == std::string_view::npos) break;
    if (count_words(name.substr(0, at)) < 2) continue;
    if (!is_one_of(name.substr(at + 1, end - at - 1), place_words)) continue;
    const char next = name[end + 1];
    if (next >= 'A' && next <= 'Z') return name.substr(0, at);
  }
  return name;
}

/// "Ada Byron - The Harbour" without what stands behind the dash; a name has two words.
std::string_view without_organisation(std::string_view name) {
  for (const std::string_view dash : {" - ", " – ", " — "}) {
    const auto at = name.find(dash);
    if (at != std::string_view::npos && count_words(name.substr(0, at)) >= 2) {
      return name.substr(0, at);
    }
  }
  return name;
}

/// Whether a part behind a comma says what somebody is, or does so at length.
bool is_role(std::string_view part) {
  constexpr std::size_t most_words = 6;
  const auto folded = fold(part);
  const auto words = parts_between(folded, spaces);
  return words.size() > most_words || is_one_of("of", words) ||
         std::ranges::any_of(words, [](std::string_view word) { return is_one_of(word, roles); });
}

/// Without "By ", "Author: " and the like.
std::string_view without_introduction(std::string_view text) {
  const auto introduced = introduced_names(text);
  return introduced.empty() ? text : introduced;
}

/// "and Bo Carr" behind a comma is Bo Carr.
std::string_view without_conjunction(std::string_view name) {
  const auto end = name.find(' ');
  if (end == std::string_view::npos || !is_one_of(fold(name.substr(0, end)), conjunctions)) {
    return name;
  }
  return name.substr(end + 1);
}

/// Cuts at words for "and" where there are two words on each side: "Ortega y Gasset" and "Procter &
/// Gamble" are one name each. In a list of names one is enough.
void cut_at_conjunctions(std::string_view part, bool in_list, std::vector<std::string_view>& out) {
  const std::size_t least = in_list ? 1 : 2;
  std::size_t begin = 0;
  for (auto at = part.find(' '); at != std::string_view::npos; at = part.find(' ', at + 1)) {
    const auto end = part.find(' ', at + 1);
    if (end == std::string_view::npos) break;
    const auto before = part.substr(begin, at > begin ? at - begin : 0);
    if (count_words(before) < least || count_words(part.substr(end + 1)) < least) continue;
    if (!is_one_of(fold(part.substr(at + 1, end - at - 1)), conjunctions)) continue;
    out.push_back(before);
    begin = end + 1;
    at = end;
  }
  out.push_back(part.substr(begin));
}

bool is_name(std::string_view text) {
  constexpr std::size_t longest = 100;
  if (text.empty() || text.size() > longest) return false;
  if (text.find('@') != std::string_view::npos && text.find(' ') == std::string_view::npos) {
    return false;
  }
  if (text.find("://") != std::string_view::npos || text.starts_with("www.")) return false;
  const auto folded = fold(text);
  // "Di" introduces names in Italy, and is one elsewhere.
  const bool introduces = folded == "by" || folded.find(' ') != std::string::npos;
  if ((introduces && is_one_of(folded, introductions)) || is_one_of(folded, labels) ||
      is_one_of(folded, no_names)) {
    return false;
  }
  // "page.head.author": what a template did not fill in.
  if (text.find(' ') == std::string_view::npos && std::ranges::count(text, '.') > 2 &&
      text.back() != '.') {
    return false;
  }
  return std::ranges::any_of(
      text, [](char c) { return is_letter(c) || static_cast<unsigned char>(c) >= 0x80; });
}

std::string_view trimmed_name(std::string_view text) {
  constexpr std::string_view around = " ,;:|-*\"";
  const auto first = text.find_first_not_of(around);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(around) - first + 1);
}

/// What commas divide, with titles and initials at the name before them.
std::vector<std::string> parts_at_commas(std::string_view text) {
  std::vector<std::string> out;
  for (const auto part : parts_between(text, commas)) {
    if (!out.empty() && is_title(part)) {
      out.back().append(", ").append(part);
    } else if (out.empty() || !is_role(part)) {
      out.emplace_back(part);
    }
  }
  // "Byron, Ada": the halves of one name, the family's first.
  if (out.size() == 2 && text.find(',') != std::string_view::npos && count_words(out[0]) == 1 &&
      count_words(out[1]) == 1) {
    return {out[0] + ", " + out[1]};
  }
  return out;
}

}  // namespace

std::string_view introduced_names(std::string_view text) {
  constexpr std::size_t longest = 40;
  const auto head = text.substr(0, longest);
  // Most texts are told by their first word.
  const auto first = fold(head.substr(0, std::min(head.find_first_of(" :/\xEF"), head.size())));
  const auto begins = [&](std::string_view one) {
    return first.empty() || (one.front() == first.front() && one.starts_with(first));
  };
  if (!std::ranges::any_of(introductions, begins) && !std::ranges::any_of(labels, begins)) {
    return {};
  }
  for (const std::string_view divider : {":", "：", " ", "/"}) {
    // The longest first: "written by" is not a person called "by".
    for (auto at = head.rfind(divider); at != std::string_view::npos && at > 0;
         at = head.rfind(divider, at - 1)) {
      const auto before = fold(trim(head.substr(0, at)));
      const auto names = trim(text.substr(at + divider.size()));
      if (is_one_of(before, introductions) || is_one_of(before, labels)) return names;
    }
  }
  return {};
}

std::vector<std::string> byline_names(std::string_view text) {
  std::vector<std::string> out;
  if (text.size() > longest_byline) return out;
  const auto clean = collapse_spaces(text);
  for (const auto strong : parts_between(clean, strong_dividers)) {
    const auto named = without_introduction(strong);
    const auto parts = parts_at_commas(named);
    for (const auto& part : parts) {
      std::vector<std::string_view> names;
      cut_at_conjunctions(part, parts.size() > 1, names);
      for (auto name : names) {
        if (parts.size() > 1) name = without_conjunction(name);
        name = without_organisation(without_place(without_introduction(name)));
        name = trimmed_name(name);
        if (!is_name(name) || out.size() >= max_byline_names) continue;
        if (std::ranges::find(out, name) == out.end()) out.emplace_back(name);
      }
    }
  }
  return out;
}

}  // namespace freshet::base
