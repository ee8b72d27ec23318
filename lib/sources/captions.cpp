// A reader of both formats by what they have in common: a line of two times with an arrow between,
// and below it what is said, up to an empty line. Whatever else stands there (headers, notes,
// styles, numbers) has no such line and is passed over.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/json.hpp>
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <html/charset.hpp>
#include <model/json.hpp>
#include <sources/captions.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>

namespace freshet::sources {
namespace {

constexpr std::string_view arrow = "-->";

/// The next line of a text, without its end: a line feed, a carriage return, or both.
std::string_view take_line(std::string_view& rest) {
  const auto end = std::min(rest.find_first_of("\r\n"), rest.size());
  const auto line = rest.substr(0, end);
  const bool is_pair = rest.substr(end).starts_with("\r\n");
  rest.remove_prefix(std::min(rest.size(), end + (is_pair ? 2 : 1)));
  return line;
}

/// "01:02:03.456", "02:03.456" or "01:02:03,4" in seconds; null for anything else.
std::optional<double> time_in(std::string_view text) {
  constexpr std::size_t most_digits = 6;
  constexpr int most_parts = 3, sixty = 60;
  double seconds = 0;
  const auto point = text.find_first_of(".,");
  auto whole = text.substr(0, point);
  int parts = 0;
  for (bool more = true; more; ++parts) {
    const auto colon = whole.find(':');
    const auto part = whole.substr(0, colon);
    if (!is_digits(part, most_digits) || parts == most_parts) return std::nullopt;
    const auto number = base::parse_number<int>(part);
    if (!number) return std::nullopt;
    if (parts > 0 && *number >= sixty) return std::nullopt;
    seconds = seconds * sixty + *number;
    more = colon != std::string_view::npos;
    if (more) whole.remove_prefix(colon + 1);
  }
  if (parts < 2) return std::nullopt;
  if (point == std::string_view::npos) return seconds;
  const auto fraction = text.substr(point + 1);
  if (!is_digits(fraction, most_digits)) return std::nullopt;
  double unit = 1;
  for (std::size_t i = 0; i < fraction.size(); ++i) unit /= 10;
  return seconds + base::parse_number<int>(fraction).value_or(0) * unit;
}

/// The times of a line that has them; null for any other.
std::optional<transcript_segment> times_in(std::string_view line) {
  const auto at = line.find(arrow);
  if (at == std::string_view::npos) return std::nullopt;
  const auto end = base::trim(line.substr(at + arrow.size()));
  const auto from = time_in(base::trim(line.substr(0, at)));
  const auto to = time_in(end.substr(0, end.find_first_of(" \t")));
  if (!from || !to || *to < *from) return std::nullopt;
  return transcript_segment{*from, *to, {}};
}

/// A line without tags ("<i>", "<v Ann>", "<00:00:01.000>") and marks of place ("{\an8}").
std::string plain_line(std::string_view line) {
  std::string out;
  while (!line.empty()) {
    const char next = line.size() > 1 ? line[1] : ' ';
    const bool is_tag = line[0] == '<' && (base::is_alphanumeric(next) || next == '/');
    const bool is_mark = line[0] == '{' && next == '\\';
    if (is_tag || is_mark) {
      const auto end = line.find(is_tag ? '>' : '}');
      if (end == std::string_view::npos) break;
      line.remove_prefix(end + 1);
      continue;
    }
    out += line[0];
    line.remove_prefix(1);
  }
  return base::collapse_spaces(clean_escaped(out));
}

bool is_number_of_cue(std::string_view line) {
  constexpr std::size_t most_digits = 9;
  return is_digits(base::trim(line), most_digits);
}

struct cue {
  transcript_segment when;
  std::vector<std::string> lines;
};

/// The cues of a text, as they stand; one more than are kept at most.
std::vector<cue> cues_in(std::string_view rest) {
  std::vector<cue> out;
  bool has_lines = false;  ///< of the last cue
  std::string_view before;
  while (!rest.empty() && out.size() <= max_segments) {
    const auto line = take_line(rest);
    if (line.find(arrow) != std::string_view::npos) {
      // Where no empty line ends a cue, the number of the next one stands among its lines.
      if (has_lines && is_number_of_cue(before) && !out.back().lines.empty())
        out.back().lines.pop_back();
      const auto times = times_in(line);
      has_lines = times.has_value();
      if (times) out.push_back({*times, {}});
    } else if (base::trim(line).empty()) {
      has_lines = false;
    } else if (has_lines) {
      if (auto said = plain_line(line); !said.empty()) out.back().lines.push_back(std::move(said));
    }
    before = line;
  }
  return out;
}

}  // namespace

std::optional<captions> read_captions(std::string_view bytes) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF", webvtt = "WEBVTT";
  if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
  const bool is_named = bytes.starts_with(webvtt);
  // WebVTT is UTF-8; SubRip is as its writer's machine wrote, and no header says how.
  const bool is_utf8 =
      is_named || (base::is_utf8(bytes) && bytes.find('\0') == std::string_view::npos);
  const auto text = base::repair_utf8(is_utf8 ? bytes : html::to_utf8(bytes, "").text);
  std::string_view rest = text;
  auto cues = cues_in(rest);
  if (cues.empty() && !is_named && !base::trim(rest).empty()) return std::nullopt;
  captions out;
  out.is_cut = cues.size() > max_segments;
  if (out.is_cut) cues.resize(max_segments);
  std::ranges::stable_sort(cues, {}, [](const cue& one) { return one.when.start_s; });
  std::string last;  ///< the line that stood lowest
  for (auto& one : cues) {
    if (one.lines.empty()) continue;
    const auto lowest = one.lines.back();
    // The line at the top is the one that stood below before, moved up.
    const bool rolls = !out.segments.empty() && one.lines.front() == last &&
                       one.when.start_s <= out.segments.back().end_s;
    if (rolls) {
      one.lines.erase(one.lines.begin());
      out.segments.back().end_s = std::max(out.segments.back().end_s,
                                           one.lines.empty() ? one.when.end_s : one.when.start_s);
    }
    last = lowest;
    if (one.lines.empty()) continue;
    auto& segment = out.segments.emplace_back(std::move(one.when));
    for (const auto& line : one.lines) segment.text += (segment.text.empty() ? "" : " ") + line;
  }
  return out;
}

result<caption_track> chosen_track(const std::vector<caption_track>& tracks,
                                   std::string_view lang) {
  if (tracks.empty()) return error(errc::not_found, "the video has no captions");
  const auto language = [](std::string_view tag) { return tag.substr(0, tag.find('-')); };
  // Of equals the first: how well the language fits, then whether people made it.
  const auto worth = [&](const caption_track& one) {
    const int fits = lang.empty()                                                           ? 1
                     : base::equals_ignoring_ascii_case(one.lang, lang)                     ? 2
                     : base::equals_ignoring_ascii_case(language(one.lang), language(lang)) ? 1
                                                                                            : 0;
    return fits == 0 ? 0 : 2 * fits + (one.generated ? 0 : 1);
  };
  const auto best = std::ranges::max_element(tracks, {}, worth);
  if (worth(*best) > 0) return *best;
  std::vector<std::string> there;
  for (const auto& one : tracks) add_once(there, one.lang);
  std::string names;
  for (const auto& one : there) names += (names.empty() ? "" : ", ") + one;
  return error(errc::not_found,
               "the video has no captions in " + std::string(lang) + "; it has " + names);
}

http::request captions_file_request(std::string_view address) {
  http::request out;
  out.url = address;
  out.headers = {{"Accept", "text/vtt, application/x-subrip;q=0.9, */*;q=0.1"}};
  out.body_limit = max_captions_bytes;
  return out;
}

transcript transcript_for(const video& of) {
  transcript made;
  made.id = of.id;
  made.source = of.source;
  made.url = of.url;
  made.title = of.title;
  made.author = of.author;
  return made;
}

std::string state_of(const transcript& made) {
  std::string out;
  model::append_item(out, item(made));
  return out;
}

result<transcript> transcript_in(std::string_view state, base::meter* counted) {
  const auto parsed = json_body::parse(state, counted);
  if (!parsed) return error(errc::source_error, "the state holds no transcript");
  auto read = model::read_item(*parsed);
  if (!read) return read.error();
  auto* made = std::get_if<transcript>(&*read);
  if (made == nullptr) return error(errc::source_error, "the state holds no transcript");
  return std::move(*made);
}

result<step> transcript_of(transcript made, const exchange& exchange) {
  if (auto failed = check_status(exchange.answer)) return std::move(*failed);
  constexpr std::size_t bytes_of_step = 16;
  exchange.spend(exchange.answer.body.size() / bytes_of_step);
  auto read = read_captions(exchange.answer.body);
  if (!read) return answer_error(errc::source_error, "the file holds no captions", exchange.answer);
  listing page;
  if (read->is_cut) {
    page.partial = true;
    page.warnings.push_back("the captions are cut after " + std::to_string(max_segments) +
                            " segments");
  }
  for (const auto& one : read->segments) {
    made.text += (made.text.empty() ? "" : " ") + one.text;
  }
  made.segments = std::move(read->segments);
  page.items.emplace_back(std::move(made));
  return step(std::move(page));
}

}  // namespace freshet::sources
