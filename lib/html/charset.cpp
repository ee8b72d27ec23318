// Bytes to UTF-8. Which encoding is decided here, in the order of the Encoding and HTML standards
// (BOM, header, <meta>, detection); ICU does the converting.
#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>
#include <unicode/ucnv_err.h>
#include <unicode/ucsdet.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>

#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/byte_row.hpp>
#include <base/late_library.hpp>
#include <base/unicode.hpp>
#include <cstdint>
#include <html/charset.hpp>
#include <html/tokens/tag_scanner.hpp>
#include <memory>
#include <string>

namespace freshet::html {

namespace {

constexpr std::size_t most_labels = 17;

struct encoding {
  std::string_view name;
  const char* icu;
  std::array<std::string_view, most_labels> labels;
};

constexpr encoding encodings[] = {
#define FRESHET_ENCODING(name, icu, ...) {name, icu, {__VA_ARGS__}},
#include <html/encodings.def>
#undef FRESHET_ENCODING
};

/// How far <meta> is looked for. The standard says 1,024 bytes; real pages put scripts before it.
constexpr std::size_t meta_scan_bytes = 32 * 1024;
/// How much text a guess is made from, and how far it is looked for.
constexpr std::size_t detection_bytes = 64 * 1024;
constexpr std::size_t detection_scan_bytes = 1024 * 1024;
/// ICU's confidence (0 to 100) below which its guess is worse than the standard's fallback.
constexpr std::int32_t least_confidence = 25;
/// Bytes converted at a time.
constexpr std::size_t chunk_bytes = 16 * 1024;

const encoding* find_encoding(std::string_view label) {
  const std::string key = base::to_lower_ascii(base::trim(label));
  if (key.empty()) return nullptr;
  const auto* const found = std::ranges::find_if(encodings, [&](const encoding& one) {
    return std::ranges::find(one.labels, key) != one.labels.end();
  });
  return found != std::end(encodings) ? found : nullptr;
}

/// The value of charset= in a header or in <meta content>; "" if there is none.
std::string_view charset_parameter(std::string_view text) {
  constexpr std::string_view key = "charset";
  for (std::size_t at = 0; at + key.size() <= text.size(); ++at) {
    if (!base::equals_ignoring_ascii_case(text.substr(at, key.size()), key)) continue;
    std::size_t from = at + key.size();
    while (from < text.size() && is_html_space(text[from])) ++from;
    if (from >= text.size() || text[from] != '=') continue;
    ++from;
    while (from < text.size() && is_html_space(text[from])) ++from;
    if (from < text.size() && (text[from] == '"' || text[from] == '\'')) {
      const auto close = text.find(text[from], from + 1);
      if (close == std::string_view::npos) return {};
      return text.substr(from + 1, close - from - 1);
    }
    const auto end = text.find_first_of("; \t\r\n,", from);
    return text.substr(from, end == std::string_view::npos ? end : end - from);
  }
  return {};
}

/// A label found inside the page: it was readable as ASCII, so it cannot be UTF-16.
const encoding* found_inside(std::string_view label) {
  const encoding* const found = find_encoding(label);
  if (found != nullptr && found->name.starts_with("UTF-16")) return find_encoding("utf-8");
  if (found != nullptr && found->name == "x-user-defined") return find_encoding("windows-1252");
  return found;
}

const encoding* encoding_of_meta(std::string_view attributes) {
  std::string_view charset;
  std::string_view content;
  bool is_pragma = false;
  raw_attribute one;
  while (next_attribute(attributes, one)) {
    if (base::equals_ignoring_ascii_case(one.name, "charset")) charset = one.value;
    if (base::equals_ignoring_ascii_case(one.name, "content")) content = one.value;
    if (base::equals_ignoring_ascii_case(one.name, "http-equiv")) {
      is_pragma = base::equals_ignoring_ascii_case(one.value, "content-type");
    }
  }
  if (charset.empty() && is_pragma) charset = charset_parameter(content);
  return charset.empty() ? nullptr : found_inside(charset);
}

/// Moves behind the text of an element whose text says nothing about the page.
void skip_raw_text(tag_scanner& scanner, std::string_view name, bool with_title) {
  for (const std::string_view raw : {"script", "style", "title"}) {
    if (raw == "title" && !with_title) continue;
    if (base::equals_ignoring_ascii_case(name, raw)) static_cast<void>(scanner.raw_text(raw));
  }
}

const encoding* encoding_of_page(std::string_view bytes) {
  bytes = bytes.substr(0, meta_scan_bytes);
  if (bytes.starts_with("<?xml")) {
    std::string_view declaration = bytes.substr(5, bytes.find('>') - 5);
    raw_attribute one;
    while (next_attribute(declaration, one)) {
      if (one.name != "encoding") continue;
      if (const encoding* const found = found_inside(one.value)) return found;
    }
  }
  tag_scanner scanner(bytes);
  for (markup_piece one = scanner.next(); one.type != piece_type::end; one = scanner.next()) {
    if (one.type != piece_type::start_tag) continue;
    if (base::equals_ignoring_ascii_case(one.name, "meta")) {
      if (const encoding* const found = encoding_of_meta(one.attributes)) return found;
    }
    skip_raw_text(scanner, one.name, true);
  }
  return nullptr;
}

bool is_ascii(std::string_view text) noexcept {
  return std::ranges::all_of(text, [](char c) { return c > 0; });
}

/// The text of a page that is not ASCII: scripts, tags and English would only drown what tells one
/// encoding from another.
std::string telling_text(std::string_view bytes) {
  std::string sample;
  tag_scanner scanner(bytes.substr(0, detection_scan_bytes));
  for (markup_piece one = scanner.next();
       one.type != piece_type::end && sample.size() < detection_bytes; one = scanner.next()) {
    if (one.type == piece_type::start_tag) skip_raw_text(scanner, one.name, false);
    if (one.type != piece_type::text || is_ascii(one.raw)) continue;
    sample += one.raw.substr(0, detection_bytes);
    sample += ' ';
  }
  return sample.empty() ? std::string(bytes.substr(0, detection_bytes)) : sample;
}

#define ICU_FUNCTION(name) base::icu_i18n().find<decltype(::name)>(FRESHET_TEXT_OF(name))

/// ICU's detector of charsets; null where it is not there.
struct detector_functions {
  decltype(::ucsdet_open)* open = ICU_FUNCTION(ucsdet_open);
  decltype(::ucsdet_close)* close = ICU_FUNCTION(ucsdet_close);
  decltype(::ucsdet_setText)* set_text = ICU_FUNCTION(ucsdet_setText);
  decltype(::ucsdet_detect)* detect = ICU_FUNCTION(ucsdet_detect);
  decltype(::ucsdet_getConfidence)* confidence = ICU_FUNCTION(ucsdet_getConfidence);
  decltype(::ucsdet_getName)* name = ICU_FUNCTION(ucsdet_getName);

  [[nodiscard]] bool are_there() const noexcept {
    return open != nullptr && close != nullptr && set_text != nullptr && detect != nullptr &&
           confidence != nullptr && name != nullptr;
  }
};

/// ICU's guess; null where it has none that is better than the standard's fallback.
const encoding* guess(std::string_view sample) {
  static const detector_functions icu;
  if (!icu.are_there()) return nullptr;
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UCharsetDetector, decltype(icu.close)> detector(icu.open(&status),
                                                                        icu.close);
  if (U_FAILURE(status)) return nullptr;
  icu.set_text(detector.get(), sample.data(), static_cast<std::int32_t>(sample.size()), &status);
  const UCharsetMatch* const match = icu.detect(detector.get(), &status);
  if (U_FAILURE(status) || match == nullptr) return nullptr;
  if (icu.confidence(match, &status) < least_confidence) return nullptr;
  const char* const name = icu.name(match, &status);
  const encoding* const found = U_SUCCESS(status) ? find_encoding(name) : nullptr;
  return found == nullptr || found->icu[0] == '\0' ? nullptr : found;
}

/// The words of a script other than Latin, where a text has such: the English around them makes
/// one that is mixed look like a Latin one. "" where its words are Latin with a few marked letters.
std::string foreign_words(std::string_view sample) {
  std::string words;
  std::size_t letters = 0, beyond = 0;
  const auto is_part = [](char c) { return c < 0 || base::is_letter(c); };
  for (auto at = sample.begin(); at != sample.end();) {
    const auto from = std::find_if(at, sample.end(), is_part);
    at = std::find_if_not(from, sample.end(), is_part);
    const auto marked = std::count_if(from, at, [](char c) { return c < 0; });
    if (marked == 0) continue;
    words.append(from, at) += ' ';
    letters += static_cast<std::size_t>(at - from);
    beyond += static_cast<std::size_t>(marked);
  }
  return beyond * 4 >= letters * 3 ? words : std::string();
}

/// Whether a text is Thai in windows-874, which ICU does not know: vowels and tones that stand over
/// and under a consonant follow one, those that are written before it are followed by one, and what
/// is no letter is rare.
bool is_thai(std::string_view sample) {
  constexpr std::size_t least_bytes = 24, least_signs = 8;
  const auto at = [&](std::size_t i) {
    return i < sample.size() ? static_cast<unsigned char>(sample[i]) : 0U;
  };
  const auto is_consonant = [](unsigned c) { return c >= 0xA1 && c <= 0xCE; };
  const auto is_over_or_under = [](unsigned c) {
    return c == 0xD1 || (c >= 0xD4 && c <= 0xDA) || (c >= 0xE7 && c <= 0xED);
  };
  std::size_t bytes = 0, odd = 0, signs = 0, fitting = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const unsigned c = at(i);
    if (c < 0x80) continue;
    ++bytes;
    const bool is_letter = is_consonant(c) || (c >= 0xCF && c <= 0xDA) || (c >= 0xDF && c <= 0xEE);
    if (!is_letter && c != 0xA0) ++odd;
    const bool is_before = c >= 0xE0 && c <= 0xE4;
    if (!is_before && !is_over_or_under(c)) continue;
    ++signs;
    const unsigned before = i > 0 ? at(i - 1) : 0;
    fitting +=
        is_before ? is_consonant(at(i + 1)) : is_consonant(before) || is_over_or_under(before);
  }
  return bytes >= least_bytes && signs >= least_signs && odd * 50 <= bytes &&
         fitting * 20 >= signs * 19;
}

const encoding* detect(std::string_view bytes) {
  const std::string sample = telling_text(bytes);
  if (is_thai(sample)) return find_encoding("windows-874");
  const encoding* const latin = find_encoding("windows-1252");
  const encoding* found = guess(sample);
  if (found == nullptr || found == latin) {
    const std::string words = foreign_words(sample);
    if (!words.empty()) found = guess(words);
  }
  return found != nullptr ? found : latin;
}

/// Called by ICU with bytes that are no character of `context`, an encoding. As the standard says,
/// U+FFFD stands for them (some converters have a control for that), a second one that is ASCII
/// stays itself, and 0x80 in GBK is the euro that windows-1252 has there.
void replace_broken(const void* context, UConverterToUnicodeArgs* arguments, const char* broken,
                    std::int32_t length, UConverterCallbackReason reason, UErrorCode* status) {
  if (reason > UCNV_IRREGULAR) return;
  const std::string_view bytes(broken, static_cast<std::size_t>(length));
  UChar written[2] = {0xFFFD, 0};
  std::int32_t count = 1;
  const auto* const read = static_cast<const encoding*>(context);
  if (read->icu == std::string_view("gb18030") && bytes == "\x80") written[0] = 0x20AC;
  if (!read->name.starts_with("UTF-16") && length == 2 && broken[0] < 0 && broken[1] > 0) {
    written[count++] = static_cast<UChar>(broken[1]);
  }
  *status = U_ZERO_ERROR;
  ucnv_cbToUWriteUChars(arguments, written, count, 0, status);
}

/// Whether an encoding has these bytes for who reads it alone, by its standard: JIS X 0212 in
/// EUC-JP, four bytes in GBK, Hong Kong's in Big5.
bool is_only_read(std::string_view written, std::string_view charset) {
  const auto lead = static_cast<unsigned char>(written[0]);
  if (charset == "EUC-JP") return lead == 0x8F;
  if (charset == "GBK") return lead > 0x80 && written.size() == 4;
  return charset == "Big5" && lead > 0x80 && lead < 0xA1;
}

std::string convert(std::string_view bytes, const encoding& encoding) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UConverter, decltype(&ucnv_close)> converter(
      ucnv_open(encoding.icu, &status), &ucnv_close);
  ucnv_setToUCallBack(converter.get(), &replace_broken, &encoding, nullptr, nullptr, &status);
  if (U_FAILURE(status)) return base::repair_utf8(bytes);
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 4);
  UChar wide[chunk_bytes];
  char narrow[chunk_bytes * 3];
  const char* from = bytes.data();
  const char* const end = bytes.data() + bytes.size();
  bool more = true;
  UChar carried = 0;  // the first half of a pair that a chunk ended in
  while (more) {
    UChar* to = wide;
    if (carried != 0) *to++ = carried;
    carried = 0;
    status = U_ZERO_ERROR;
    ucnv_toUnicode(converter.get(), &to, wide + chunk_bytes, &from, end, nullptr, 1, &status);
    more = status == U_BUFFER_OVERFLOW_ERROR;
    if (U_FAILURE(status) && !more) break;
    auto length = static_cast<std::int32_t>(to - wide);
    if (more && length > 0 && U16_IS_LEAD(wide[length - 1])) carried = wide[--length];
    std::int32_t written = 0;
    status = U_ZERO_ERROR;
    u_strToUTF8WithSub(narrow, sizeof narrow, &written, wide, length, 0xFFFD, nullptr, &status);
    if (U_FAILURE(status)) break;
    out.append(narrow, static_cast<std::size_t>(written));
  }
  return base::repair_utf8(out);
}

/// The text of valid UTF-8 that somebody read as Latin-1 and wrote as UTF-8 again
/// ("Iâ\u0080\u0099m"), or "" where it is not wholly so. Nobody writes that: it has control
/// characters of Latin-1.
std::string once_encoded(std::string_view text) {
  constexpr char lead_low = '\xC2', lead_high = '\xC3';
  const auto is_beyond = [](char c) { return (c & 0x80) != 0; };
  std::string out;
  bool has_controls = false;
  std::size_t from = 0;
  while (from < text.size()) {
    const auto rest = text.substr(from);
    std::size_t at = 0;
    while (at + base::row_size <= rest.size() &&
           base::bits_of(base::row_at(rest.data() + at)) == 0) {
      at += base::row_size;
    }
    while (at < rest.size() && !is_beyond(rest[at])) ++at;
    std::string run;
    std::size_t end = at;
    for (; end + 1 < rest.size() && is_beyond(rest[end]); end += 2) {
      if (rest[end] != lead_low && rest[end] != lead_high) return {};
      const char low = rest[end + 1];
      run += rest[end] == lead_low ? low : static_cast<char>(low | 0x40);
      has_controls = has_controls || (rest[end] == lead_low && (low & 0x20) == 0);
    }
    // Most pages end this look with their first sign that is not ASCII.
    if (!base::is_utf8(run)) return {};
    out.append(rest.substr(0, at)).append(run);
    from += end;
  }
  return has_controls ? out : std::string();
}

/// The text as UTF-8: the bytes themselves if they are well-formed and hold no NUL.
std::string_view as_utf8(std::string_view bytes, bool is_valid, std::string& storage) {
  if (is_valid && bytes.find('\0') == std::string_view::npos) {
    storage = once_encoded(bytes);
    return storage.empty() ? bytes : storage;
  }
  storage = base::repair_utf8(bytes);
  return storage;
}

decoded_view decode_as(std::string_view bytes, const encoding& encoding, bool is_valid,
                       std::string& storage) {
  const std::string_view name = encoding.name;
  if (name == "UTF-8") return {as_utf8(bytes, is_valid, storage), name};
  // The standard's replacement decoder: encodings that were only good for attacks.
  storage = encoding.icu[0] != '\0' ? convert(bytes, encoding)
            : bytes.empty()         ? ""
                                    : "\xEF\xBF\xBD";
  return {storage, name};
}

struct byte_order_mark {
  std::string_view bytes;
  std::string_view charset;
};

constexpr byte_order_mark byte_order_marks[] = {
    {"\xEF\xBB\xBF", "utf-8"}, {"\xFE\xFF", "utf-16be"}, {"\xFF\xFE", "utf-16le"}};

bool has_many_beyond_ascii(std::string_view bytes) {
  constexpr std::ptrdiff_t many = 24;
  return std::ranges::count_if(bytes, [](char c) { return (c & 0x80) != 0; }) >= many;
}

}  // namespace

decoded_view to_utf8_view(std::string_view bytes, std::string_view content_type,
                          std::string& storage) {
  for (const auto& mark : byte_order_marks) {
    if (!bytes.starts_with(mark.bytes)) continue;
    bytes.remove_prefix(mark.bytes.size());
    return decode_as(bytes, *find_encoding(mark.charset), base::is_utf8(bytes), storage);
  }
  const encoding* const header = find_encoding(charset_parameter(content_type));
  const bool valid = base::is_utf8(bytes);
  if (header != nullptr && (header->name != "UTF-8" || valid)) {
    return decode_as(bytes, *header, valid, storage);
  }
  const encoding* const inside = encoding_of_page(bytes);
  // Who saved or passed on a page may have converted it and left its <meta> as it was: text in
  // another encoding is not valid UTF-8 by chance.
  if (inside != nullptr && inside->name != "UTF-8" && valid && has_many_beyond_ascii(bytes)) {
    return decode_as(bytes, *find_encoding("utf-8"), valid, storage);
  }
  if (inside != nullptr && (inside->name != "UTF-8" || valid)) {
    return decode_as(bytes, *inside, valid, storage);
  }
  // Somebody said UTF-8 and the bytes are not: what is wrong with them is only a few of them.
  if (header != nullptr) return decode_as(bytes, *header, valid, storage);
  if (inside != nullptr) return decode_as(bytes, *inside, valid, storage);
  return decode_as(bytes, valid ? *find_encoding("utf-8") : *detect(bytes), valid, storage);
}

std::string from_utf8(std::string_view text, std::string_view charset) {
  const auto* const found = std::ranges::find(encodings, charset, &encoding::name);
  const bool as_it_is = found == std::end(encodings) || found->icu[0] == '\0' ||
                        charset == "UTF-8" || charset.starts_with("UTF-16") ||
                        charset == "ISO-2022-JP";
  if (as_it_is) return std::string(text);
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UConverter, decltype(&ucnv_close)> converter(ucnv_open(found->icu, &status),
                                                                     &ucnv_close);
  ucnv_setFromUCallBack(converter.get(), UCNV_FROM_U_CALLBACK_ESCAPE, UCNV_ESCAPE_XML_DEC, nullptr,
                        nullptr, &status);
  if (U_FAILURE(status)) return std::string(text);
  std::u16string wide(text.size(), u'\0');
  std::int32_t length = 0;
  u_strFromUTF8WithSub(wide.data(), static_cast<std::int32_t>(wide.size()), &length, text.data(),
                       static_cast<std::int32_t>(text.size()), 0xFFFD, nullptr, &status);
  wide.resize(static_cast<std::size_t>(length));
  std::string out;
  for (std::size_t at = 0, end = 0; at < wide.size(); at = end) {
    char32_t point = 0;
    end = at;
    U16_NEXT(wide.data(), end, wide.size(), point);
    std::array<char, 16> bytes{};  // of "&#1114111;" the longest
    const auto size = ucnv_fromUChars(converter.get(), bytes.data(), bytes.size(), wide.data() + at,
                                      static_cast<std::int32_t>(end - at), &status);
    if (U_FAILURE(status)) return std::string(text);
    const std::string_view written(bytes.data(), static_cast<std::size_t>(size));
    if (charset == "GBK" && point == U'\u20AC')
      out += '\x80';
    else if (written.empty() || is_only_read(written, charset))  // ICU leaves out what nobody sees
      out.append("&#").append(std::to_string(static_cast<std::uint32_t>(point))).append(";");
    else
      out += written;
  }
  return out;
}

decoded_text to_utf8(std::string_view bytes, std::string_view content_type) {
  std::string storage;
  const decoded_view made = to_utf8_view(bytes, content_type, storage);
  const std::string charset(made.charset);
  if (made.text.data() == storage.data()) return {std::move(storage), charset};
  return {std::string(made.text), charset};
}

}  // namespace freshet::html
