// Ranges of Unicode, said as far as the rules need them.
#include <markdown/safety/folding.hpp>
#include <string_view>

namespace freshet::markdown {

namespace {

constexpr char32_t first_latin = 0xC0, last_latin = 0x17F;
/// U+00C0 to U+017F; a space is no letter.
constexpr std::string_view latin_letters =
    "aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuyty"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllll"
    "nnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
static_assert(latin_letters.size() == last_latin - first_latin + 1);

constexpr bool is_in(char32_t point, char32_t first, char32_t last) noexcept {
  return point >= first && point <= last;
}

constexpr char32_t lower(char32_t letter) noexcept {
  return is_in(letter, 'A', 'Z') ? letter + ('a' - 'A') : letter;
}

/// Letters in circles, squares and flags, and small capitals: drawn for looks, read as letters.
char32_t folded_letter_of_looks(char32_t point) noexcept {
  struct alphabet {
    char32_t first, last;
  };
  constexpr alphabet alphabets[] = {{0x249C, 0x24B5},   {0x24B6, 0x24CF},   {0x24D0, 0x24E9},
                                    {0x1F110, 0x1F129}, {0x1F130, 0x1F149}, {0x1F150, 0x1F169},
                                    {0x1F170, 0x1F189}, {0x1F1E6, 0x1F1FF}};
  for (const auto& one : alphabets) {
    if (is_in(point, one.first, one.last)) return 'a' + (point - one.first);
  }
  const bool may_be_small_capital =
      is_in(point, 0x250, 0x2AF) || is_in(point, 0x1D00, 0x1D2F) || is_in(point, 0xA720, 0xA7FF);
  if (!may_be_small_capital) return point;
  constexpr std::u32string_view small_capitals =
      U"ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ";
  const auto at = small_capitals.find(point);
  return at == small_capitals.npos ? point : 'a' + static_cast<char32_t>(at);
}

char32_t folded_letter_of_mathematics(char32_t point) noexcept {
  constexpr char32_t first = 0x1D400, last = 0x1D6A3, alphabet = 52, half = 26;
  if (!is_in(point, first, last)) return point;
  return 'a' + (point - first) % alphabet % half;
}

}  // namespace

char32_t folded_point(char32_t point) noexcept {
  constexpr char32_t wide_to_narrow = 0xFEE0, cyrillic_case = 0x20, old_cyrillic_case = 0x50;
  if (point < 0x80) return lower(point);
  if (is_in(point, first_latin, last_latin)) {
    const char letter = latin_letters[point - first_latin];
    return letter == ' ' ? point : static_cast<char32_t>(letter);
  }
  if (is_in(point, 0x300, 0x36F) || is_in(point, 0x64B, 0x652) || point == 0x640 ||
      is_in(point, 0xFE00, 0xFE0F) || is_in(point, 0x200B, 0x200F) || point == 0xAD) {
    return 0;
  }
  if (is_in(point, 0x391, 0x3A9) || is_in(point, 0x410, 0x42F)) return point + cyrillic_case;
  if (point == 0x401 || point == 0x451) return 0x435;  // yo, written as ye
  if (is_in(point, 0x400, 0x40F)) return point + old_cyrillic_case;
  if (point == 0x622 || point == 0x623 || point == 0x625) return 0x627;  // alef
  if (is_in(point, 0xFF01, 0xFF5E)) return lower(point - wide_to_narrow);
  const auto letter = folded_letter_of_mathematics(point);
  return letter == point ? folded_letter_of_looks(point) : letter;
}

char32_t latin_twin(char32_t folded) noexcept {
  constexpr std::u32string_view twins = U"аеорсухіјѕԁһӏкмтαορνικε",
                                letters = U"aeopcyxijsdhlkmtaopvike";
  static_assert(twins.size() == letters.size());
  if (folded < 0x80) return folded;
  const auto at = twins.find(folded);
  return at == twins.npos ? folded : letters[at];
}

bool is_unspaced_script(char32_t point) noexcept {
  return is_in(point, 0x3041, 0x30FF) || is_in(point, 0x3400, 0x9FFF) ||
         is_in(point, 0xAC00, 0xD7AF) || is_in(point, 0xE01, 0xE7F) ||
         is_in(point, 0x20000, 0x2FA1F);
}

bool is_divider(char32_t point) noexcept {
  return point < 0x30 || is_in(point, 0x80, 0xBF) || point == 0xD7 || point == 0xF7 ||
         is_in(point, 0x2000, 0x2BFF) || is_in(point, 0x3000, 0x303F) || is_in(point, 0x3A, 0x40) ||
         is_in(point, 0x5B, 0x60) || is_in(point, 0x7B, 0x7E) || point == 0x60C || point == 0x61B ||
         point == 0x61F || point == 0x6D4 || is_in(point, 0x964, 0x965) ||
         is_in(point, 0xFF61, 0xFF65) || is_in(point, 0x1F000, 0x1FAFF);
}

bool ends_sentence(char32_t point) noexcept {
  return point == 0x3002 || point == 0x61F || point == 0x6D4 || is_in(point, 0x964, 0x965) ||
         point == '!' || point == '?' || point == 0xFF61;
}

}  // namespace freshet::markdown
