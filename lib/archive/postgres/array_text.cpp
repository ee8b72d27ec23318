// Words, shortened where they must be, in both alike.
#include "archive/postgres/array_text.hpp"

#include <archive/index_text.hpp>
#include <base/digest.hpp>
#include <base/unicode.hpp>

namespace freshet::archive {
namespace {

/// An entry of a GIN index has at most some 2,700 bytes.
constexpr std::size_t max_word = 512;
/// Begins a word that stands for a longer one.
constexpr std::string_view digest_mark = "\xEE\x80\x82";  // U+E002

std::string stored_word(std::string_view word) {
  if (word.size() <= max_word) return std::string(word);
  return std::string(digest_mark) + base::hex(base::as_text(base::sha256(word)));
}

}  // namespace

std::string stored_words(std::string_view words) {
  std::string out;
  for (std::size_t begin = 0; begin < words.size();) {
    const auto end = std::min(words.find(' ', begin), words.size());
    if (!out.empty()) out += ' ';
    out += stored_word(words.substr(begin, end - begin));
    begin = end + 1;
  }
  return base::repair_utf8(out);
}

word_wishes wishes_of(const query::text_query* q, std::string_view lang) {
  word_wishes made;
  if (q != nullptr) {
    for (const auto& one : q->terms) {
      std::string run = " ";
      for (const auto& word : one.words) {
        const auto stored = stored_word(word);
        if (!one.excluded) made.words.add(std::string_view(stored));
        if (!one.excluded) made.runs.add(std::string_view(' ' + stored + ' '));
        run += stored + ' ';
      }
      if (one.excluded) made.unwanted.add(std::string_view(run));
      if (one.excluded || one.words.size() < 2) continue;
      made.phrases.add(std::string_view(run));
      made.runs.add(std::string_view(run));
    }
  }
  if (const auto mark = lang_word(lang); !mark.empty()) {
    made.words.add(std::string_view(mark));
    made.runs.add(std::string_view(' ' + std::string(mark) + ' '));
  }
  return made;
}

}  // namespace freshet::archive
