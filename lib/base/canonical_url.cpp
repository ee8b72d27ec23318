// The forms in which addresses are shown and compared. Whatever might change what a page shows is
// kept: only parameters that are known to carry nothing but tracking go.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/percent.hpp>
#include <base/plain_url.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <cstdint>

namespace freshet::base {
namespace {

// Query parameters that say who shared or clicked, not what is shown: in lower case; a trailing "*"
// stands for any rest.
// clang-format off
constexpr std::string_view tracking_parameters[] = {
    // Campaigns: Google Analytics' way, imitated by everyone; Matomo and Piwik, its older name;
    // Openstat, Comscore, AT Internet, many news sites.
    "utm_*", "mtm_*", "matomo_campaign", "pk_campaign", "pk_kwd", "pk_source", "pk_medium",
    "piwik_campaign", "piwik_kwd", "_openstat", "ns_campaign", "ns_mchannel", "ns_source",
    "at_campaign", "at_medium", "cmpid",
    // HubSpot: advertisements, e-mails, session, visitor, fingerprint, call to action.
    "hsa_*", "_hsenc", "_hsmi", "__hssc", "__hstc", "__hsfp", "hsctatracking",
    // Facebook and Instagram: clicks and sharers.
    "fbclid", "fb_action_ids", "fb_action_types", "fb_source", "igshid", "igsh",
    // Google: Ads (on iOS in an app, on the web), Merchant Center, Display, visitors across sites.
    "gclid", "gclsrc", "gbraid", "wbraid", "gad_source", "gad_campaignid", "srsltid", "dclid",
    "_ga", "_gl",
    // Clicks of Microsoft Advertising, TikTok, X, LinkedIn, Reddit, Snapchat, Pinterest, Yandex
    // (and its search), Impact.
    "msclkid", "ttclid", "twclid", "li_fat_id", "rdt_cid", "sccid", "scclid", "epik", "yclid",
    "ysclid", "irclickid",
    // Recipients of mails: Mailchimp, Marketo, Omeda, Vero, MailerLite; visitors of Wicked Reports.
    "mc_cid", "mc_eid", "mkt_tok", "oly_anon_id", "oly_enc_id", "vero_id", "vero_conv",
    "ml_subscriber", "ml_subscriber_hash", "wickedid",
    // Where an embedded post was clicked; Yahoo's consent.
    "ref_src", "ref_url", "guccounter", "guce_referrer", "guce_referrer_sig",
};
// clang-format on

/// Those that mean something else elsewhere: at this host and those below it.
constexpr struct {
  std::string_view site, name;
} tracking_at_sites[] = {
    {"nytimes.com", "smid"},           // which share button was used
    {"nytimes.com", "smtyp"},          // the same
    {"youtube.com", "si"},             // the sharer
    {"youtu.be", "si"},                // the same
    {"spotify.com", "si"},             // the same
    {"youtube.com", "feature"},        // which button led here
    {"youtu.be", "feature"},           // the same
    {"youtube.com", "pp"},             // the search that led here
    {"twitter.com", "s"},              // which app shared it
    {"x.com", "s"},                    // the same
    {"twitter.com", "t"},              // the sharer
    {"x.com", "t"},                    // the same
    {"reddit.com", "share_id"},        // the sharer
    {"reddit.com", "rdt"},             // a redirect's counter
    {"tiktok.com", "_r"},              // the share
    {"tiktok.com", "_t"},              // the same
    {"tiktok.com", "is_from_webapp"},  // which app it was opened in
    {"tiktok.com", "sender_device"},   // the sharer's device
    {"tiktok.com", "is_copy_url"},     // how it was shared
};

bool is_under(std::string_view host, std::string_view site) noexcept {
  if (!host.ends_with(site)) return false;
  return host.size() == site.size() || host[host.size() - site.size() - 1] == '.';
}

/// For each first character the lengths of the tracking parameters that begin with it, as bits, and
/// with the last bit for all that are longer: what rules out nearly every other name at a glance.
constexpr unsigned longest_told = 63;
constexpr auto lengths_by_first = [] {
  std::array<std::uint64_t, 256> out{};
  const auto add = [&out](std::string_view name) {
    const bool is_prefix = name.ends_with('*');
    const auto length = name.size() - (is_prefix ? 1 : 0);
    const auto lengths = is_prefix ? ~std::uint64_t{0} << length : std::uint64_t{1} << length;
    out[static_cast<unsigned char>(name.front())] |= lengths;
  };
  for (const auto name : tracking_parameters) add(name);
  for (const auto& one : tracking_at_sites) add(one.name);
  return out;
}();

bool may_be_tracking(std::string_view name) noexcept {
  if (name.empty()) return false;
  if (name.find('%') != std::string_view::npos) return true;  // it may say anything
  const auto length = std::min<std::size_t>(name.size(), longest_told);
  const auto first = static_cast<unsigned char>(lower(name.front()));
  return (lengths_by_first[first] >> length & 1U) != 0;
}

bool is_tracking(std::string_view name, std::string_view host) {
  if (!may_be_tracking(name)) return false;
  const std::string lower = to_lower_ascii(percent_decode(name));
  const auto is_named = [&](std::string_view one) {
    return one.ends_with('*') ? lower.starts_with(one.substr(0, one.size() - 1)) : lower == one;
  };
  return std::ranges::any_of(tracking_parameters, is_named) ||
         std::ranges::any_of(tracking_at_sites, [&](const auto& one) {
           return is_named(one.name) && is_under(host, one.site);
         });
}

/// Takes the next pair off the front of a query.
std::string_view take_pair(std::string_view& query) noexcept {
  const std::string_view pair = query.substr(0, query.find('&'));
  query.remove_prefix(pair.size() < query.size() ? pair.size() + 1 : pair.size());
  return pair;
}

/// Whether all pairs of a query are telling, and nothing else stands in it.
bool is_telling(std::string_view query, std::string_view host) {
  if (query.empty() || query.ends_with('&')) return query.empty();
  while (!query.empty()) {
    const auto pair = take_pair(query);
    if (pair.empty() || is_tracking(pair.substr(0, pair.find('=')), host)) return false;
  }
  return true;
}

/// The pairs of a query that are not tracking, as they were written.
std::vector<std::string_view> telling_pairs(std::string_view query, std::string_view host) {
  std::vector<std::string_view> pairs;
  while (!query.empty()) {
    const std::string_view pair = take_pair(query);
    if (!pair.empty() && !is_tracking(pair.substr(0, pair.find('=')), host)) pairs.push_back(pair);
  }
  return pairs;
}

template <class Text>
std::string joined(const std::vector<Text>& pairs) {
  std::string out;
  for (const auto& pair : pairs) {
    if (!out.empty()) out += '&';
    out += pair;
  }
  return out;
}

/// A fragment that a page's own script reads as an address: "#!/a" and "#/a".
bool is_route(std::string_view fragment) noexcept {
  return fragment.starts_with('!') || (fragment.starts_with('/') && fragment.size() > 1);
}

std::optional<url> canonical(std::string_view text) {
  auto parsed = parse_url(text);
  if (!parsed || !parsed->is_http()) return std::nullopt;
  if (!is_telling(parsed->query, parsed->host)) {
    parsed->query = joined(telling_pairs(parsed->query, parsed->host));
  }
  parsed->has_query = !parsed->query.empty();
  if (!is_route(parsed->fragment)) {
    parsed->fragment.clear();
    parsed->has_fragment = false;
  }
  return parsed;
}

/// One spelling for all that RFC 3986 (6.2.2) calls equal: unreserved characters bare, the rest of
/// the escapes in upper case.
std::string with_plain_escapes(std::string_view text) {
  if (text.find('%') == std::string_view::npos) return std::string(text);
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = escape_at(text, at);
    if (!byte) {
      out += text[at];
      continue;
    }
    at += 2;
    if (is_in(percent_set::all_but_unreserved, static_cast<unsigned char>(*byte))) {
      append_encoded(out, *byte, percent_set::all_but_unreserved);
    } else {
      out += *byte;
    }
  }
  return out;
}

std::string_view without_www(std::string_view host) noexcept {
  constexpr std::string_view www = "www.";
  const bool names_a_site = host.find('.', www.size()) != std::string_view::npos;
  return host.starts_with(www) && names_a_site ? host.substr(www.size()) : host;
}

std::string key_of(std::string_view host, std::string_view port, std::string_view path,
                   std::string_view query, std::string_view fragment) {
  std::string key(without_www(host));
  if (!port.empty()) key.append(":").append(port);
  key += with_plain_escapes(path);
  while (key.ends_with('/')) key.pop_back();
  if (!query.empty()) {
    std::vector<std::string> pairs;
    for (const std::string_view pair : telling_pairs(query, host)) {
      pairs.push_back(with_plain_escapes(pair));
    }
    std::ranges::sort(pairs);
    if (!pairs.empty()) key.append("?").append(joined(pairs));
  }
  if (is_route(fragment)) key.append("#").append(fragment);
  return key;
}

}  // namespace

std::string canonical_url(std::string_view text) {
  const auto plain = read_plain_url(text);
  if (plain && is_telling(plain->query, plain->host)) {
    const auto head = plain->query.empty() ? plain->path : plain->query;
    const bool keeps_fragment = plain->has_fragment && is_route(plain->fragment);
    // Only what stands at the end goes: an empty query, a fragment.
    if (!keeps_fragment) {
      return std::string(text.data(), head.data() + head.size());
    }
    if (plain->has_query == !plain->query.empty()) return std::string(text);
  }
  const auto parsed = canonical(text);
  return parsed ? parsed->text() : std::string(text);
}

std::string same_page_key(std::string_view text) {
  if (const auto plain = read_plain_url(text)) {
    return key_of(plain->host, {}, plain->path, plain->query, plain->fragment);
  }
  const auto parsed = parse_url(text);
  if (!parsed || !parsed->is_http()) return std::string(text);
  return key_of(parsed->host, parsed->port, parsed->path, parsed->query, parsed->fragment);
}

std::string host_of(std::string_view text) {
  if (const auto plain = read_plain_url(text)) return std::string(without_www(plain->host));
  const auto parsed = parse_url(text);
  if (!parsed || parsed->opaque) return {};
  return std::string(without_www(parsed->host));
}

}  // namespace freshet::base
