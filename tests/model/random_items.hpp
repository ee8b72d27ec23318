// Random items of all eight kinds, for properties that must hold for any item. The generator is
// seeded by the test, so that a failure can be repeated.
#pragma once

#include <array>
#include <base/unicode.hpp>
#include <cstdint>
#include <freshet/item.hpp>
#include <random>
#include <string>
#include <vector>

namespace freshet::test {

class random_items {
 public:
  explicit random_items(std::uint64_t seed) : engine_(seed) {}

  item next() {
    switch (below(8)) {
      case 0:
        return make_post();
      case 1:
        return make_user();
      case 2:
        return make_video();
      case 3:
        return make_forum_post();
      case 4:
        return make_comment();
      case 5:
        return make_web_result();
      case 6:
        return make_article();
      default:
        return make_document();
    }
  }

  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }
  bool once_in(std::uint64_t times) { return below(times) == 0; }

  /// Empty, plain, with everything that JSON escapes, or beyond the basic plane.
  std::string text() {
    static const std::array<char32_t, 14> special = {U'"',   U'\\',    U'/',    U'\n', U'\t',
                                                     U'\r',  0x01,     0x1F,    0x7F,  0x2028,
                                                     0xFFFD, 0x10FFFF, 0x1F600, 0xE9};
    std::string out;
    if (once_in(4)) return out;
    const auto size = 1 + below(24);
    for (std::uint64_t at = 0; at < size; ++at) {
      const auto point =
          once_in(3) ? special[below(special.size())] : static_cast<char32_t>(U' ' + below(95));
      base::append_utf8(out, point);
    }
    return out;
  }

  std::string url() {
    return once_in(4) ? "" : "https://a.example/" + std::to_string(below(1'000'000));
  }

  count integer() {
    static const std::array<std::int64_t, 6> edges = {0,         -1,        1,
                                                      INT64_MAX, INT64_MIN, std::int64_t{1} << 53};
    if (once_in(3)) return std::nullopt;
    if (once_in(4)) return edges[below(edges.size())];
    return static_cast<std::int64_t>(below(10'000'000));
  }

  /// Thousandths, which is how finely sources give durations and ratios.
  std::optional<double> number() {
    if (once_in(3)) return std::nullopt;
    return static_cast<double>(below(100'000'000)) / 1000.0;
  }

  std::optional<bool> flag() {
    if (once_in(3)) return std::nullopt;
    return once_in(2);
  }

  std::optional<time_point> time() {
    if (once_in(4)) return std::nullopt;
    constexpr std::uint64_t end_of_9999_ms = 253'402'300'800'000;
    auto at = below(end_of_9999_ms);
    if (once_in(2)) at -= at % 1000;
    return time_point(std::chrono::milliseconds(at));
  }

  std::vector<std::string> texts() {
    std::vector<std::string> out(below(4));
    for (auto& one : out) one = text();
    return out;
  }

  struct author author() {
    return {text(), text(), text(), url(), url()};
  }

 private:
  void fill(item_common& to) {
    to.id = "source:" + std::to_string(engine_());
    to.source = "source";
    to.url = url();
    to.title = text();
    to.text = text();
    to.lang = once_in(2) ? "" : "en";
    to.created_at = time();
    to.author = author();
    to.media.resize(below(3));
    for (auto& one : to.media) {
      one = {"image", "https://a.example/i", url(), text(), integer(), integer(), number()};
    }
    to.tags = texts();
    to.links.assign(below(3), "https://a.example/l");
  }

  item make_post() {
    post to;
    fill(to);
    to.metrics = {integer(), integer(), integer(), integer(), integer()};
    to.parent_id = text();
    to.conversation_id = text();
    to.quoted_id = text();
    to.reposted_by = author();
    to.sensitive = flag();
    return to;
  }

  item make_user() {
    user to;
    fill(to);
    to.metrics = {integer(), integer(), integer()};
    to.handle = text();
    to.display_name = text();
    to.avatar_url = url();
    to.banner_url = url();
    to.verified = flag();
    return to;
  }

  item make_video() {
    video to;
    fill(to);
    to.metrics = {integer(), integer(), integer(), integer()};
    to.duration_s = number();
    to.thumbnail_url = url();
    to.music = {text(), text(), text()};
    return to;
  }

  item make_forum_post() {
    forum_post to;
    fill(to);
    to.metrics = {integer(), number(), integer(), integer()};
    to.community = text();
    to.link_url = url();
    to.sensitive = flag();
    return to;
  }

  item make_comment() {
    comment to;
    fill(to);
    to.metrics = {integer()};
    to.post_id = text();
    to.parent_id = text();
    to.depth = static_cast<std::int64_t>(below(1000));
    return to;
  }

  item make_web_result() {
    web_result to;
    fill(to);
    to.rank = static_cast<std::int64_t>(1 + below(1000));
    to.display_url = text();
    to.site_name = text();
    to.engines.resize(below(3));
    for (auto& one : to.engines) one = {text(), integer()};
    return to;
  }

  item make_article() {
    article to;
    fill(to);
    to.site = {text(), text(), text()};
    return to;
  }

  item make_document() {
    document to;
    fill(to);
    to.markdown = text();
    to.final_url = url();
    to.site_name = text();
    to.description = text();
    to.image_url = url();
    to.word_count = static_cast<std::int64_t>(below(100'000));
    to.token_estimate = static_cast<std::int64_t>(below(100'000));
    to.status_code = once_in(2) ? 0 : 200;
    to.content_type = text();
    return to;
  }

  std::mt19937_64 engine_;
};

}  // namespace freshet::test
