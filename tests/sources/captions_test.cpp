// Captions of videos: what both formats become, which of several is meant, and what every source
// with captions is asked on the way to them.
#include <catch2/catch.hpp>
#include <sources/captions.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources {

using catalog::operation;
using test::code_of;

namespace {

const test::source_rig spoken_peertube("peertube", {});
const test::source_rig spoken_invidious("invidious", {"https://iv.example", {}});
const test::source_rig spoken_dailymotion("dailymotion", {});
const test::source_rig spoken_tiktok("tiktok", {});

/// "0.5-3: text | ..."; "none" for what is no file of captions.
std::string told(std::string_view file) {
  const auto read = read_captions(file);
  if (!read) return "none";
  std::string out;
  const auto number = [](double seconds) {
    auto text = std::to_string(seconds);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
  };
  for (const auto& one : read->segments) {
    out += (out.empty() ? "" : " | ") + number(one.start_s) + "-" + number(one.end_s) + ": " +
           one.text;
  }
  return out;
}

call transcript_call(std::string id, std::string lang = "") {
  auto made = test::call_of(operation::shortvideo_videos_transcript);
  made.native_id = std::move(id);
  made.lang = std::move(lang);
  return made;
}

}  // namespace

TEST_CASE("captions: WebVTT is read without its notes, settings and tags") {
  CHECK(told("WEBVTT - a title\nKind: captions\n\nNOTE\nnot said\n\nSTYLE\n::cue { color: red }\n\n"
             "intro\n00:00.500 --> 00:03.000 align:start position:10%\n<v Brin>This is the "
             "<i>gauge</i> &amp; the <00:00:01.000><c.quiet>lock</c>\nat six\n\n"
             "01:02:03.250 --> 01:02:04.000\n3 < 4\n") ==
        "0.5-3: This is the gauge & the lock at six | 3723.25-3724: 3 < 4");
  CHECK(told("WEBVTT").empty());
  CHECK(told("\xEF\xBB\xBFWEBVTT\r\n\r\n00:01.000 --> 00:02.000\r\nhigh\r\n") == "1-2: high");
}

TEST_CASE("captions: SubRip is read with or without empty lines, in any order") {
  CHECK(told("1\r\n00:00:01,500 --> 00:00:02,000\r\n{\\an8}<b>high</b>\r\nwater\r\n\r\n"
             "2\r\n00:00:03,000 --> 00:00:04,000\r\nlow\r\n") == "1.5-2: high water | 3-4: low");
  CHECK(told("1\n00:00:01,000 --> 00:00:02,000\nhigh\n2\n00:00:03,000 --> 00:00:04,000\nlow") ==
        "1-2: high | 3-4: low");
  CHECK(told("1\n00:00:01,000 --> 00:00:02,000\nd\xE9j\xE0 vu, \xE0 No\xEBl\n") ==
        "1-2: déjà vu, à Noël");  // in windows-1252
  CHECK(told("2\n00:00:03,000 --> 00:00:04,000\nlow\n\n1\n00:00:01,000 --> 00:00:02,000\nhigh\n") ==
        "1-2: high | 3-4: low");
  // What is said may be a number.
  CHECK(told("1\n00:00:01,000 --> 00:00:02,000\n42\n\n2\n00:00:03,000 --> 00:00:04,000\n7\n") ==
        "1-2: 42 | 3-4: 7");
  CHECK(told("1\r00:00:01,000 --> 00:00:02,000\rhigh\r") == "1-2: high");
}

TEST_CASE("captions: lines that roll up are told once") {
  CHECK(
      told("WEBVTT\n\n00:00.000 --> 00:02.000\nwe read\n\n00:02.000 --> 00:04.000\nwe read\nthe "
           "gauge\n\n00:04.000 --> 00:05.000\nthe gauge\n\n00:05.000 --> 00:06.000\nthe gauge\nat "
           "noon\n") == "0-2: we read | 2-5: the gauge | 5-6: at noon");
  // Said again after a while it is said twice.
  CHECK(told("WEBVTT\n\n00:00.000 --> 00:02.000\nhey\n\n00:03.000 --> 00:04.000\nhey\n") ==
        "0-2: hey | 3-4: hey");
}

TEST_CASE("captions: what is neither is none, and wrong times are passed over") {
  CHECK(told("<!doctype html><p>Not found</p>") == "none");
  CHECK(told("{\"error\": 1}") == "none");
  CHECK(told("").empty());
  for (const auto* line :
       {"00:02.000 --> 00:01.000", "--> 00:01.000", "00:61.000 --> 01:02.000", "1 --> 2",
        "00:01.000 -->", "1:2:3:4.0 --> 9:9:9.0", "00:01.x --> 00:02.0", "-0:01.0 --> 00:02.0",
        "00:01. --> 00:02.0", "99999999:00:01.0 --> 99999999:00:02.0"}) {
    INFO(line);
    CHECK(told("WEBVTT\n\n" + std::string(line) + "\nsaid\n\n00:05.0 --> 00:06.0\nlast\n") ==
          "5-6: last");
  }
  CHECK(told("WEBVTT\n\n00:01.000 --> 00:02.000\n<i\n\xFF\xFE\n") ==
        "1-2: \xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST_CASE("captions: a file without an end is cut") {
  std::string file = "WEBVTT\n\n";
  for (std::size_t i = 0; i < max_segments + 5; ++i) file += "00:01.0 --> 00:02.0\nx\n\n";
  const auto read = read_captions(file);
  REQUIRE(read);
  CHECK(read->is_cut);
  CHECK(read->segments.size() <= max_segments);
  const auto page = test::listing_of(transcript_of(
      {}, {transcript_call("x"), spoken_invidious.settings(), test::answer_of(200, file), "", ""}));
  CHECK(page.partial);
  CHECK(page.warnings.size() == 1);
}

TEST_CASE("captions: the language that is asked for, then people before machines") {
  const std::vector<caption_track> tracks{
      {"fr", true, "1"}, {"en", true, "2"}, {"en-GB", false, "3"}, {"pt-BR", false, "4"}};
  const auto place = [&](std::string_view lang) {
    const auto chosen = chosen_track(tracks, lang);
    return chosen ? chosen->place : chosen.error().detail();
  };
  CHECK(place("") == "3");
  CHECK(place("en") == "2");
  CHECK(place("EN-gb") == "3");
  CHECK(place("en-US") == "3");
  CHECK(place("fr-CA") == "1");
  CHECK(place("pt") == "4");
  CHECK(place("de") == "the video has no captions in de; it has fr, en, en-GB, pt-BR");
  CHECK(code_of(chosen_track({}, "en")) == errc::not_found);
}

TEST_CASE("captions: the sandbox of every source with captions gives them") {
  const auto of = [](const test::source_rig& rig, const char* name, std::string base,
                     const call& what) {
    test::sandbox box(name);
    auto with = rig.settings();
    with.base_url = std::move(base);
    const auto page = box.page(rig.capability_for(what.op), what, with, "");
    if (!page) return "! " + page.error().detail();
    const auto& made = std::get<transcript>(page->items.at(0));
    return made.lang + (made.generated ? *made.generated ? " machine" : " people" : "") + " " +
           std::to_string(made.segments.size()) + " " + made.text;
  };
  const std::string tube = "tube.example/f61ced48-9a26-4594-a921-96bb1b646043";
  CHECK(of(spoken_peertube, "peertube", "", transcript_call(tube)) ==
        "en people 3 This is the gauge at the lock. It writes the tide on paper, all night & all "
        "day. Nobody winds the clock any more.");
  CHECK(of(spoken_peertube, "peertube", "", transcript_call(tube, "fr"))
            .starts_with("fr machine 1 Voici"));
  CHECK(of(spoken_peertube, "peertube", "", transcript_call(tube, "de")) ==
        "! the video has no captions in de; it has fr, en");
  const std::string iv = "https://invidious.example";
  CHECK(of(spoken_invidious, "invidious", iv, transcript_call("invidious.example/frsInvid000"))
            .starts_with("en people 3 This is"));
  CHECK(
      of(spoken_invidious, "invidious", iv, transcript_call("invidious.example/frsInvid000", "de"))
          .starts_with("de people 1 Das"));
  CHECK(of(spoken_invidious, "invidious", iv, transcript_call("invidious.example/frsInvid005")) ==
        "! the video has no captions");
  CHECK(of(spoken_dailymotion, "dailymotion", "", transcript_call("xhnwgzv")) ==
        "en 2 Climate, in one minute. Seventeen winters at the same mooring.");
  CHECK(of(spoken_tiktok, "tiktok", "", transcript_call("7580000002469135782")) ==
        " machine 0 we read the gauge at six and again at noon");
  CHECK(of(spoken_tiktok, "tiktok", "", transcript_call("7580000004938271564")).starts_with("! "));
}

TEST_CASE("captions: a file may lie elsewhere, and what it answers is judged") {
  const auto what = transcript_call("tube.example/f61ced48-9a26-4594-a921-96bb1b646043");
  transcript known;
  known.id = "peertube:tube.example/x";
  known.source = "peertube";
  known.title = "A \"quoted\" title";
  const auto list = test::answer_of(
      200,
      R"({"total":1,"data":[{"language":{"id":"en"},"fileUrl":"https://store.example/c.vtt"}]})");
  const auto next = test::follow_of(spoken_peertube.read(what, list, "", "l" + state_of(known)));
  CHECK(next.request.url == "https://store.example/c.vtt");
  CHECK(next.request.body_limit == max_captions_bytes);
  const auto page = test::listing_of(spoken_peertube.read(
      what, test::answer_of(200, "WEBVTT\n\n00:01.0 --> 00:02.0\nhigh\n"), "", next.state));
  const auto& made = std::get<transcript>(page.items.at(0));
  CHECK((made.title == known.title && made.lang == "en" && made.text == "high"));
  CHECK(code_of(spoken_peertube.read(what, test::answer_of(200, "<html>"), "", next.state)) ==
        errc::source_error);
  CHECK(spoken_peertube.read(what, test::answer_of(404, ""), "", next.state).has_error());
  CHECK(spoken_peertube.read(what, test::answer_of(200, "{}"), "", "l" + state_of(known))
            .has_error());
  CHECK(spoken_peertube.read(what, list, "", "lnonsense").has_error());
}

}  // namespace freshet::sources
