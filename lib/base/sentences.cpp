// Sentences, by ICU's rules of Unicode.
#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/utext.h>
#include <base/sentences.hpp>
#include <base/unicode.hpp>
#include <limits>
#include <new>

namespace freshet::base {
namespace {

bool is_blank(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_continuation(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// A sign of ASCII ends a sentence only before a space; a full stop of Han needs none.
bool is_end(std::string_view text, std::size_t position) noexcept {
  const auto before = static_cast<unsigned char>(text[position - 1]);
  return before >= 0x80 || is_blank(text[position - 1]);
}

}  // namespace

struct sentence_divider::rules {
  std::unique_ptr<icu::BreakIterator> breaks;
  UText text = UTEXT_INITIALIZER;
};

sentence_divider::sentence_divider() : rules_(std::make_unique<rules>()) {
  UErrorCode failed = U_ZERO_ERROR;
  rules_->breaks.reset(icu::BreakIterator::createSentenceInstance(icu::Locale::getRoot(), failed));
  if (U_FAILURE(failed) || !rules_->breaks) throw std::bad_alloc();
}

sentence_divider::~sentence_divider() { utext_close(&rules_->text); }

void sentence_divider::divide(std::string_view text, text_range within,
                              std::vector<text_range>& out) {
  const auto part = text.substr(within.begin, within.end - within.begin);
  constexpr std::size_t longest = std::numeric_limits<std::int32_t>::max();
  if (part.size() > longest) return add_divided(text, within, out);
  UErrorCode failed = U_ZERO_ERROR;
  utext_openUTF8(&rules_->text, part.data(), static_cast<std::int64_t>(part.size()), &failed);
  rules_->breaks->setText(&rules_->text, failed);
  if (U_FAILURE(failed)) throw std::bad_alloc();
  std::size_t begin = 0;
  for (auto next = rules_->breaks->first(); next != icu::BreakIterator::DONE;
       next = rules_->breaks->next()) {
    const auto at = static_cast<std::size_t>(next);
    if (at == 0 || (at < part.size() && !is_end(part, at))) continue;
    add_divided(text, {within.begin + begin, within.begin + at}, out);
    begin = at;
  }
}

void add_divided(std::string_view text, text_range range, std::vector<text_range>& out) {
  auto [begin, end] = range;
  while (begin < end && is_blank(text[begin])) ++begin;
  while (end > begin && is_blank(text[end - 1])) --end;
  while (end - begin > max_sentence_bytes) {
    auto cut = begin + max_sentence_bytes;
    while (cut > begin && !is_blank(text[cut])) --cut;
    if (cut == begin) {  // a script without spaces
      cut = begin + max_sentence_bytes;
      while (cut > begin + 1 && is_continuation(text[cut])) --cut;
    }
    auto last = cut;
    while (last > begin && is_blank(text[last - 1])) --last;
    out.push_back({begin, last});
    begin = cut;
    while (begin < end && is_blank(text[begin])) ++begin;
  }
  if (begin < end) out.push_back({begin, end});
}

}  // namespace freshet::base
