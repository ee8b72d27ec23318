// Which keys of an item hold pictures, and the form of an address: the environment, a signature and
// the picture's own address.
#include "engine/dashboard/picture_addresses.hpp"

#include <algorithm>
#include <array>
#include <base/digest.hpp>
#include <base/json.hpp>
#include <base/url.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace freshet::detail {
namespace {

namespace json = boost::json;

constexpr std::string_view address_prefix = "/dashboard/api/picture/";
constexpr std::size_t signature_size = 22;  // 132 bits
/// Of one answer; what follows has its link at the source.
constexpr std::size_t max_pictures = 400;
constexpr std::size_t max_url_size = 2048;
constexpr std::array<std::string_view, 5> picture_keys{"thumbnail_url", "preview_url", "avatar_url",
                                                       "banner_url", "image_url"};

bool is_picture_key(std::string_view key, const json::object& object) {
  if (std::ranges::find(picture_keys, key) != picture_keys.end()) return true;
  if (key != "url") return false;
  const auto* type = object.if_contains("type");
  return type != nullptr && (*type == "image" || *type == "gif");
}

bool is_address(std::string_view text) {
  return text.size() <= max_url_size && base::has_http_scheme(text);
}

/// Every picture's address in what was answered, each once. Depth is that of an item, which no
/// caller decides; what is walked is kept in a list.
std::vector<std::string> find_pictures(const json::value& data) {
  std::vector<std::string> found;
  std::vector<const json::value*> left{&data};
  while (!left.empty() && found.size() < max_pictures) {
    const auto* const at = left.back();
    left.pop_back();
    if (const auto* list = at->if_array()) {
      for (auto one = list->rbegin(); one != list->rend(); ++one) left.push_back(&*one);
    } else if (const auto* object = at->if_object()) {
      for (const auto& [key, value] : *object) {
        if (!value.is_string()) {
          left.push_back(&value);
          continue;
        }
        if (!is_picture_key(key, *object)) continue;
        auto url = base::text_of(value);
        if (is_address(url) && std::ranges::find(found, url) == found.end())
          found.push_back(std::move(url));
      }
    }
  }
  return found;
}

}  // namespace

std::string picture_addresses::signature(std::string_view session, const picture& picture) const {
  std::string said(picture.is_sandboxed ? "s\n" : "l\n");
  said.append(session).append("\n").append(picture.url);
  const auto digest = base::hmac_sha256(secret_, said);
  return base::base64url(base::as_text(digest)).substr(0, signature_size);
}

std::string picture_addresses::sign(std::string_view session, const picture& picture) const {
  return (picture.is_sandboxed ? "s" : "l") + signature(session, picture) +
         base::base64url(picture.url);
}

std::optional<picture_addresses::picture> picture_addresses::read(std::string_view session,
                                                                  std::string_view name) const {
  if (name.size() <= 1 + signature_size || session.empty()) return std::nullopt;
  auto url = base::base64url_decode(name.substr(1 + signature_size));
  if (!url) return std::nullopt;
  picture of{std::move(*url), name.front() == 's'};
  if (!base::equal_in_constant_time(name, sign(session, of))) return std::nullopt;
  return of;
}

void picture_addresses::add_to(response& made, std::string_view session, bool is_sandboxed) const {
  if (!made.ok() || !made.body.ends_with('}')) return;
  auto text = made.lead ? made.lead->bytes + made.body : made.body;
  const auto parsed = base::parse_json(text, false);
  if (!parsed || !parsed->is_object()) return;
  const auto* data = parsed->as_object().if_contains("data");
  if (data == nullptr) return;
  json::object pictures;
  for (const auto& url : find_pictures(*data))
    pictures[url] = std::string(address_prefix) + sign(session, {url, is_sandboxed});
  if (pictures.empty()) return;
  made.body.pop_back();
  made.body.append(",\"pictures\":").append(json::serialize(pictures)).append("}");
}

}  // namespace freshet::detail
