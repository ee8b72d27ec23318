#include <unicode/ucnv.h>

#include <catch2/catch.hpp>
#include <html/charset.hpp>
#include <set>
#include <string>
#include <vector>

using namespace freshet;

namespace {

void check(std::string_view bytes, std::string_view content_type, std::string_view charset,
           std::string_view holds) {
  const auto made = html::to_utf8(bytes, content_type);
  CHECK(made.charset == charset);
  CHECK(made.text.find(holds) != std::string::npos);
}

constexpr const char* e_acute = "\xC3\xA9";

std::string written_in(const char* charset, const std::string& utf8) {
  UErrorCode status = U_ZERO_ERROR;
  std::string out(utf8.size() * 2, '\0');
  const auto size = ucnv_convert(charset, "UTF-8", out.data(), static_cast<int>(out.size()),
                                 utf8.data(), static_cast<int>(utf8.size()), &status);
  REQUIRE(U_SUCCESS(status));
  out.resize(static_cast<std::size_t>(size));
  return out;
}

}  // namespace

TEST_CASE("a byte order mark wins over everything") {
  check("\xEF\xBB\xBF\xC3\xA9", "text/html; charset=iso-8859-1", "UTF-8", e_acute);
  check(std::string_view("\xFF\xFE\xE9\0", 4), "text/html; charset=utf-8", "UTF-16LE", e_acute);
  check(std::string_view("\xFE\xFF\0\xE9", 4), "", "UTF-16BE", e_acute);
}

TEST_CASE("the header wins over the page") {
  check("<meta charset=utf-8>\xE9", "text/html; charset=ISO-8859-1", "windows-1252", e_acute);
  check("\xE9", "text/html; Charset=\"latin1\"", "windows-1252", e_acute);
  check("\x93\x94", "text/html;charset=us-ascii", "windows-1252", "\xE2\x80\x9C");
  check("\x83\x89", "text/html; charset=Shift_JIS", "Shift_JIS", "\xE3\x83\xA9");
  check("\xC4\xE3", "text/html; charset=gb2312", "GBK", "\xE4\xBD\xA0");
  check("\xA7\x41", "text/html; charset=big5", "Big5", "\xE4\xBD\xA0");
  check("\xB0\xA1", "text/html; charset=euc-kr", "EUC-KR", "\xEA\xB0\x80");
  check("\xCF\xF0", "text/html; charset=windows-1251", "windows-1251", "\xD0\x9F\xD1\x80");
}

TEST_CASE("the page says it itself") {
  check("<html><head><meta charset='windows-1252'>\xE9", "text/html", "windows-1252", e_acute);
  check("<META HTTP-EQUIV=Content-Type CONTENT='text/html; charset=iso-8859-2'>\xB1", "",
        "ISO-8859-2", "\xC4\x85");
  check("<?xml version='1.0' encoding='iso-8859-1'?>\xE9", "", "windows-1252", e_acute);
  // Late, behind a script that mentions another one.
  check("<script>'<meta charset=big5>'</script>" + std::string(2000, ' ') +
            "<meta charset=koi8-r>\xD0",
        "", "KOI8-R", "\xD0\xBF");
  check("<!-- <meta charset=big5> --><meta charset=latin1>\xE9", "", "windows-1252", e_acute);
  // UTF-16 cannot be what was readable byte by byte.
  check("<meta charset=utf-16>\xC3\xA9", "", "UTF-8", e_acute);
}

TEST_CASE("text that is UTF-8 throughout is UTF-8, whatever <meta> was left in it") {
  const std::string meta = "<meta charset=gb2312><p>";
  const std::string said = "\xE5\x8A\xA8\xE7\x89\xA9\xE5\x9B\xAD\xE9\x87\x8C";
  CHECK(html::to_utf8(meta + said + said, "text/html").charset == "UTF-8");
  CHECK(html::to_utf8(meta + said + said, "text/html; charset=gb2312").charset != "UTF-8");
  CHECK(html::to_utf8(meta + "\xB6\xAF\xCE\xEF\xD4\xB0", "text/html").charset != "UTF-8");
}

TEST_CASE("a false UTF-8 gives way to what the page says") {
  check("<meta charset=iso-8859-1>\xE9", "text/html; charset=utf-8", "windows-1252", e_acute);
  check("a\xE9z", "text/html; charset=utf-8", "UTF-8", "a\xEF\xBF\xBDz");
}

TEST_CASE("without a word, valid UTF-8 is UTF-8 and the rest is guessed") {
  check("caf\xC3\xA9", "text/html", "UTF-8", e_acute);
  check("plain", "", "UTF-8", "plain");
  std::string russian;
  for (int i = 0; i < 20; ++i) {
    russian += "\xCF\xF0\xE8\xEB\xE8\xE2\xFB \xE8 \xEE\xF2\xEB\xE8\xE2\xFB \xE2 \xEC\xEE\xF0\xE5. ";
  }
  check(russian, "text/html", "windows-1251", "\xD0\x9F\xD1\x80\xD0\xB8");
  // Scripts and English markup around it tell nothing.
  std::string drowned = "<script>" + std::string(100'000, 'x') + "</script>";
  for (int i = 0; i < 200; ++i) drowned += "<div class=\"the content of the page\">and more</div>";
  check(drowned + "<p>" + russian, "text/html", "windows-1251", "\xD0\x9F\xD1\x80\xD0\xB8");
  std::string french;
  for (int i = 0; i < 20; ++i)
    french +=
        "La mar\xE9"
        "e monte tr\xE8s vite \xE0 Saint-Malo. ";
  check(french, "", "windows-1252",
        "mar\xC3\xA9"
        "e");
}

TEST_CASE("a script other than Latin is guessed amid English, and Thai by its spelling") {
  const std::string english =
      "<p>The working group met in the harbour and wrote down what ships, pilots and keepers of "
      "the lights had said about the new tables, the old ones and everything in between. ";
  const auto guessed = [](const std::string& utf8, const char* charset) {
    INFO(charset << ": " << utf8);
    const auto made = html::to_utf8(written_in(charset, utf8), "text/html");
    CHECK(made.charset == charset);
    CHECK(made.text == utf8);
  };
  const std::string russian = "Прилив и отлив в порту наблюдали всю неделю, таблицы готовы. ";
  guessed(english + english + russian + english + english, "windows-1251");
  guessed(english + english + russian + english + english, "KOI8-R");
  guessed("<p>น้ำขึ้นและน้ำลงที่ท่าเรือเป็นเวลาหนึ่งสัปดาห์", "windows-874");
  guessed(english + "ตารางน้ำขึ้นน้ำลงของปีนี้เผยแพร่แล้วที่หอสมุด", "windows-874");
  // Korean has such bytes, too.
  guessed("<p>항구의 밀물과 썰물을 한 주 동안 관찰하였고 새로운 조석표가 도서관에 있다.", "EUC-KR");
}

TEST_CASE("every encoding of the standard has its converter") {
  struct row {
    const char* icu;
    std::vector<std::string_view> labels;
  };
  const row rows[] = {
#define FRESHET_ENCODING(name, icu, ...) {icu, {__VA_ARGS__}},
#include <html/encodings.def>
#undef FRESHET_ENCODING
  };
  CHECK(std::size(rows) == 40);
  std::set<std::string_view> labels;
  for (const auto& one : rows) {
    for (const auto label : one.labels) {
      INFO(label);
      CHECK(labels.insert(label).second);
    }
    if (one.icu[0] == '\0') continue;
    UErrorCode status = U_ZERO_ERROR;
    UConverter* const converter = ucnv_open(one.icu, &status);
    CHECK(U_SUCCESS(status));
    ucnv_close(converter);
  }
  CHECK(labels.size() == 227);
}

TEST_CASE("long pages keep their characters where chunks meet") {
  std::string bytes;
  for (int i = 0; i < 40'000; ++i) bytes += std::string_view("\x3D\xD8\x0A\xDE", 4);  // U+1F60A
  const auto made = html::to_utf8("\xFF\xFE" + std::string("a\0", 2) + bytes, "");
  CHECK(made.text.size() == 1 + 4u * 40'000);
  CHECK(made.text.find("\xEF\xBF\xBD") == std::string::npos);
}

TEST_CASE("bytes that are no character do not take the next one along") {
  const auto text_of = [](std::string_view bytes, const char* charset) {
    return html::to_utf8(bytes, std::string("text/html; charset=") + charset).text;
  };
  const std::string broken = "a\xEF\xBF\xBD";
  CHECK(text_of("a\xC9U<p>", "euc-kr") == broken + "U<p>");
  CHECK(text_of("a\x85y<p>", "shift_jis") == broken + "y<p>");
  CHECK(text_of("a\xA0<p>", "shift_jis") == broken + "<p>");
  CHECK(text_of("a\x86g<p>", "big5") == broken + "g<p>");
  CHECK(text_of("a\xA2\xAF<p>", "euc-jp") == broken + "<p>");
  CHECK(text_of("a\xB0", "gbk") == broken);
  CHECK(text_of({"\0a\xDC"
                 "A\0b",
                 6},
                "utf-16be") == broken + "b");
}

TEST_CASE("the euro of pages in GBK that took it for windows-1252 is one") {
  check(
      "\x80"
      "5 \xC4\xE3",
      "text/html; charset=gbk", "GBK",
      "\xE2\x82\xAC"
      "5 \xE4\xBD\xA0");
}

TEST_CASE("encodings that only attacks use are not decoded") {
  const auto made = html::to_utf8("<script>", "text/html; charset=iso-2022-kr");
  CHECK(made.text == "\xEF\xBF\xBD");
}

TEST_CASE("UTF-8 that was read as Latin-1 and written once more is read once") {
  // "don’t" and "café": the bytes of the apostrophe and of the accent as three and two letters.
  const std::string quote = "\xC3\xA2\xC2\x80\xC2\x99", accent = "\xC3\x83\xC2\xA9";
  CHECK(html::to_utf8("don" + quote + "t, caf" + accent, "").text ==
        "don\xE2\x80\x99t, caf\xC3\xA9");
  for (const auto& kept : {
           "caf" + accent,                        // letters alone may be meant
           "don" + quote + "t, caf\xC3\xA9",      // one letter that is whole
           "don" + quote + "t\xE2\x82\xAC",       // what Latin-1 does not have
           std::string("na\xC3\xAFve \xC2\xA9"),  // as it should be
       }) {
    INFO(kept);
    CHECK(html::to_utf8(kept, "text/html; charset=utf-8").text == kept);
  }
}

TEST_CASE("what is UTF-8 already is not copied") {
  std::string storage;
  const std::string plain = "caf\xC3\xA9";
  const auto same = html::to_utf8_view(plain, "text/html", storage);
  CHECK(same.text.data() == plain.data());
  CHECK(same.charset == "UTF-8");
  const std::string with_mark = "\xEF\xBB\xBF" + plain;
  const auto marked = html::to_utf8_view(with_mark, "", storage);
  CHECK(marked.text.size() == plain.size());
  const auto converted = html::to_utf8_view("\xE9", "text/html; charset=latin1", storage);
  CHECK(converted.text == "\xC3\xA9");
  CHECK(converted.text.data() == storage.data());
  const std::string with_nul("a\0b", 3);
  CHECK(html::to_utf8_view(with_nul, "", storage).text == "ab");
}
