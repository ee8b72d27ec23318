// A name is compared with what the page says and with the labels of its host, letter by letter and
// without regard to spaces: "The Bush Company" at bushcompany.example is the site.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <markdown/about/site_name.hpp>

namespace freshet::markdown {

namespace {

/// Bytes of a name, or of the words that it shares with a host, from which that tells anything.
constexpr std::size_t least_part = 4;

/// Bytes of the character of general punctuation, a symbol of Latin-1 or CJK punctuation at
/// `position`.
std::size_t punctuation_at(std::string_view text, std::size_t position) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const auto second = byte(position + 1);
  if (byte(position) == 0xC2 && second >= 0xA0) return 2;
  if ((byte(position) == 0xE2 || byte(position) == 0xE3) && second == 0x80) return 3;
  return 0;
}

std::string without_spaces(std::string_view text) {
  auto out = comparable(text);
  std::erase(out, ' ');
  return out;
}

}  // namespace

std::string comparable(std::string_view text) {
  const auto folded = base::fold(text);
  std::string out;
  out.reserve(folded.size());
  for (std::size_t at = 0; at < folded.size(); ++at) {
    const auto skipped = punctuation_at(folded, at);
    const char c = folded[at];
    if (skipped == 0 && (static_cast<unsigned char>(c) >= 0x80 || base::is_alphanumeric(c))) {
      out += c;
      continue;
    }
    if (skipped > 0) at += skipped - 1;
    if (!out.empty() && out.back() != ' ') out += ' ';
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::vector<std::string_view> words_in(std::string_view compared) {
  std::vector<std::string_view> out;
  while (!compared.empty()) {
    const auto end = std::min(compared.find(' '), compared.size());
    out.push_back(compared.substr(0, end));
    compared.remove_prefix(std::min(end + 1, compared.size()));
  }
  return out;
}

site_name::site_name(const std::vector<std::string>& said, std::string_view host) {
  for (const auto& name : said) said_.insert(without_spaces(name));
  while (!host.empty()) {
    const auto end = std::min(host.find('.'), host.size());
    if (auto label = without_spaces(host.substr(0, end)); label != "www") {
      host_ += label;
      labels_.push_back(std::move(label));
    }
    host.remove_prefix(std::min(end + 1, host.size()));
  }
}

bool site_name::is_named(std::string_view text) const {
  const auto joined = without_spaces(text);
  return !joined.empty() && (said_.contains(joined) || is_label(joined));
}

bool site_name::is(std::string_view text) const {
  const auto compared = comparable(text);
  auto joined = compared;
  std::erase(joined, ' ');
  if (joined.empty() || said_.contains(joined) || is_label(joined)) return true;
  // "Harbour Blog" at harbour.example.
  constexpr auto kinds =
      std::to_array<std::string_view>({" blog", " news", " docs", " documentation", " wiki",
                                       " forum", " forums", " shop", " store"});
  for (const auto kind : kinds) {
    if (!compared.ends_with(kind)) continue;
    if (is_named(std::string_view(compared).substr(0, compared.size() - kind.size()))) return true;
  }
  if (joined.size() >= least_part && host_.find(joined) != std::string::npos) return true;
  return is_mostly_in_host(compared, joined.size()) || is_acronym(text);
}

bool site_name::is_label(std::string_view joined) const {
  return joined.size() > 1 && std::ranges::find(labels_, joined) != labels_.end();
}

/// "Bridgestone Tires" at bridgestonetire.example.
bool site_name::is_mostly_in_host(std::string_view compared, std::size_t letters) const {
  constexpr std::size_t most_words = 6, least_word = 3;
  const auto words = words_in(compared);
  if (words.size() > most_words) return false;
  std::size_t found = 0;
  for (const auto word : words) {
    if (word.size() >= least_word && host_.find(word) != std::string::npos) found += word.size();
  }
  return found >= least_part && found * 4 >= letters * 3;
}

/// "Occupational Safety and Health Administration" at osha.example.
bool site_name::is_acronym(std::string_view text) const {
  std::string initials;
  for (const auto word : words_in(text)) {
    if (!word.empty() && word[0] >= 'A' && word[0] <= 'Z') initials += base::lower(word[0]);
  }
  return initials.size() > 2 && is_label(initials);
}

}  // namespace freshet::markdown
