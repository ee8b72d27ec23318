// Pictures and players. Addresses are only chosen here; resolving them is the writer's.
#include <array>
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <markdown/tree/image.hpp>

namespace freshet::markdown {

namespace {

/// Where pages that load pictures late put the real address, best first.
constexpr std::array<std::string_view, 12> lazy_attributes = {
    "data-src",     "data-original",   "data-lazy-src",    "data-lazy",
    "data-url",     "data-hi-res-src", "data-full-src",    "data-image",
    "data-img-src", "data-actualsrc",  "data-delayed-url", "data-image-src"};
constexpr std::array<std::string_view, 4> lazy_sets = {"srcset", "data-srcset", "data-lazy-srcset",
                                                       "data-original-set"};

/// Parts of addresses of pictures that stand in for the real one.
constexpr std::array<std::string_view, 9> placeholder_parts = {
    "placeholder", "blank.gif", "spacer.gif", "transparent.", "pixel.gif",
    "loading.",    "lazyload",  "1x1.",       "grey.gif"};

bool looks_like_address(std::string_view text) noexcept {
  return !text.empty() && text[0] != '{' && text[0] != '[' && !text.starts_with("data:") &&
         text.find(' ') == std::string_view::npos && text != "true" && text != "false" &&
         (text.find('/') != std::string_view::npos || text.find('.') != std::string_view::npos);
}

bool is_placeholder(std::string_view source) {
  if (source.empty() || source.starts_with("data:") || source == "about:blank" || source == "#") {
    return true;
  }
  const auto lower = base::to_lower_ascii(source);
  for (const auto part : placeholder_parts) {
    if (lower.find(part) != std::string::npos) return true;
  }
  return false;
}

bool is_srcset_space(char c) noexcept { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

std::string_view best_set_of(const html::document& page, html::node_id id) {
  for (const auto name : lazy_sets) {
    const auto best = best_of_srcset(page.attribute_of(id, name));
    if (!best.empty()) return best;
  }
  return {};
}

/// A <picture> may say only in its sources which picture it is.
std::string_view source_of_picture(const html::document& page, html::node_id image) {
  const auto parent = page.at(image).parent;
  if (!page.is_element(parent, html::tag_id::picture)) return {};
  for (auto at = page.at(parent).first_child; at != html::none; at = page.at(at).next) {
    page.spend(1 + page.at(at).attribute_count);
    if (!page.is_element(at, html::tag_id::source)) continue;
    const auto best = best_set_of(page, at);
    if (!best.empty()) return best;
  }
  return {};
}

bool is_one(std::string_view value) {
  const int number = base::take_number<int>(value).value_or(-1);
  return number == 0 || number == 1;
}

}  // namespace

std::string_view best_of_srcset(std::string_view srcset) {
  std::string_view best;
  double best_size = -1;
  while (!srcset.empty()) {
    while (!srcset.empty() && (is_srcset_space(srcset[0]) || srcset[0] == ','))
      srcset.remove_prefix(1);
    std::size_t end = 0;
    while (end < srcset.size() && !is_srcset_space(srcset[end])) ++end;
    auto address = srcset.substr(0, end);
    srcset.remove_prefix(end);
    // A comma at its end closes the candidate; one inside is part of the address.
    bool closed = false;
    while (address.ends_with(',')) {
      address.remove_suffix(1);
      closed = true;
    }
    double size = 1;
    if (!closed) {
      const auto comma = std::min(srcset.find(','), srcset.size());
      auto descriptor = base::trim(srcset.substr(0, comma));
      size = base::take_number<double>(descriptor).value_or(size);
      srcset.remove_prefix(std::min(comma + 1, srcset.size()));
    }
    if (size > best_size && !address.empty() && !address.starts_with("data:")) {
      best = address;
      best_size = size;
    }
  }
  return best;
}

std::string image_source(const html::document& page, html::node_id image) {
  const auto source = base::trim(page.attribute_of(image, "src"));
  if (!is_placeholder(source)) return std::string(source);
  for (const auto name : lazy_attributes) {
    const auto value = base::trim(page.attribute_of(image, name));
    if (looks_like_address(value)) return std::string(value);
  }
  if (const auto best = best_set_of(page, image); !best.empty()) return std::string(best);
  if (const auto best = source_of_picture(page, image); !best.empty()) return std::string(best);
  return source.starts_with("data:") || source == "#" || source == "about:blank"
             ? std::string()
             : std::string(source);
}

bool is_tracking_pixel(const html::document& page, html::node_id image) {
  return is_one(page.attribute_of(image, "width")) && is_one(page.attribute_of(image, "height"));
}

std::string video_page(std::string_view source) {
  std::string absolute(base::trim(source));
  if (absolute.starts_with("//")) absolute.insert(0, "https:");
  const auto parsed = base::parse_url(absolute);
  if (!parsed || !parsed->is_http()) return {};
  std::string_view host = parsed->host;
  if (host.starts_with("www.")) host.remove_prefix(4);
  const std::string_view path = parsed->path;
  const auto id_after = [&](std::string_view prefix) -> std::string {
    if (!path.starts_with(prefix)) return {};
    const auto rest = path.substr(prefix.size());
    return std::string(rest.substr(0, rest.find('/')));
  };
  if (host == "youtube.com" || host == "youtube-nocookie.com" || host == "m.youtube.com") {
    if (path == "/embed/videoseries") {
      const auto list = base::query_parameter(parsed->query, "list");
      return list ? "https://www.youtube.com/playlist?list=" + *list : std::string();
    }
    const auto id = id_after("/embed/");
    return id.empty() ? std::string() : "https://www.youtube.com/watch?v=" + id;
  }
  if (host == "player.vimeo.com") {
    const auto id = id_after("/video/");
    return id.empty() ? std::string() : "https://vimeo.com/" + id;
  }
  if (host == "dailymotion.com" || host == "geo.dailymotion.com") {
    auto id = id_after("/embed/video/");
    if (id.empty()) id = base::query_parameter(parsed->query, "video").value_or("");
    return id.empty() ? std::string() : "https://www.dailymotion.com/video/" + id;
  }
  // PeerTube, wherever it runs, and TED and the Internet Archive as they write it.
  if (const auto id = id_after("/videos/embed/"); !id.empty()) {
    return parsed->origin() + "/w/" + id;
  }
  if (host == "embed.ted.com") return "https://www.ted.com" + parsed->path;
  if (host == "archive.org" && !id_after("/embed/").empty()) {
    return "https://archive.org/details/" + id_after("/embed/");
  }
  if (host == "player.twitch.tv") {
    const auto id = base::query_parameter(parsed->query, "video").value_or("");
    return id.empty() ? std::string() : "https://www.twitch.tv/videos/" + id;
  }
  return {};
}

}  // namespace freshet::markdown
