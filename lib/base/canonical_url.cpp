// The forms in which addresses are shown and compared. Whatever might change what a page shows is
// kept: only parameters that are known to carry nothing but tracking go.
#include <algorithm>
#include <base/percent.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>

namespace freshet::base {
namespace {

/// A query parameter that says who shared or clicked, not what is shown.
struct tracking_parameter {
  std::string_view name;  ///< lower case; a trailing "*" stands for any rest
  std::string_view site;  ///< "": everywhere; else this host and those below it
  std::string_view reason;
};

constexpr tracking_parameter tracking_parameters[] = {
    {"utm_*", "", "campaign tagging of Google Analytics, imitated by everyone"},
    {"mtm_*", "", "campaign tagging of Matomo"},
    {"pk_campaign", "", "campaign tagging of Piwik, Matomo's older name"},
    {"pk_kwd", "", "the same"},
    {"pk_source", "", "the same"},
    {"pk_medium", "", "the same"},
    {"piwik_campaign", "", "the same"},
    {"piwik_kwd", "", "the same"},
    {"matomo_campaign", "", "campaign tagging of Matomo"},
    {"hsa_*", "", "HubSpot's advertisement tracking"},
    {"_hsenc", "", "HubSpot's e-mail click"},
    {"_hsmi", "", "HubSpot's e-mail message"},
    {"__hssc", "", "HubSpot's session"},
    {"__hstc", "", "HubSpot's visitor"},
    {"__hsfp", "", "HubSpot's fingerprint"},
    {"hsctatracking", "", "HubSpot's call-to-action click"},
    {"fbclid", "", "Facebook's click id"},
    {"fb_action_ids", "", "Facebook's share"},
    {"fb_action_types", "", "the same"},
    {"fb_source", "", "the same"},
    {"gclid", "", "Google Ads' click id"},
    {"gclsrc", "", "where a gclid comes from"},
    {"gbraid", "", "Google Ads' click id on iOS, app"},
    {"wbraid", "", "Google Ads' click id on iOS, web"},
    {"gad_source", "", "Google Ads' origin"},
    {"gad_campaignid", "", "Google Ads' campaign"},
    {"srsltid", "", "Google Merchant Center's result id"},
    {"dclid", "", "Google Display's click id"},
    {"_ga", "", "Google Analytics' visitor across domains"},
    {"_gl", "", "the same"},
    {"msclkid", "", "Microsoft Advertising's click id"},
    {"ttclid", "", "TikTok's click id"},
    {"twclid", "", "X's click id"},
    {"li_fat_id", "", "LinkedIn's click id"},
    {"rdt_cid", "", "Reddit's click id"},
    {"sccid", "", "Snapchat's click id"},
    {"scclid", "", "the same"},
    {"epik", "", "Pinterest's click id"},
    {"yclid", "", "Yandex' click id"},
    {"ysclid", "", "Yandex' search click id"},
    {"_openstat", "", "Openstat's campaign"},
    {"irclickid", "", "Impact's click id"},
    {"igshid", "", "Instagram's sharer"},
    {"igsh", "", "the same"},
    {"mc_cid", "", "Mailchimp's campaign"},
    {"mc_eid", "", "Mailchimp's recipient"},
    {"mkt_tok", "", "Marketo's recipient"},
    {"oly_anon_id", "", "Omeda's reader"},
    {"oly_enc_id", "", "the same"},
    {"vero_id", "", "Vero's recipient"},
    {"vero_conv", "", "Vero's conversion"},
    {"wickedid", "", "Wicked Reports' visitor"},
    {"ml_subscriber", "", "MailerLite's recipient"},
    {"ml_subscriber_hash", "", "the same"},
    {"cmpid", "", "campaign id of many news sites"},
    {"ns_campaign", "", "Comscore's campaign"},
    {"ns_mchannel", "", "the same"},
    {"ns_source", "", "the same"},
    {"at_campaign", "", "AT Internet's campaign"},
    {"at_medium", "", "the same"},
    {"smid", "nytimes.com", "which share button was used"},
    {"smtyp", "nytimes.com", "the same"},
    {"si", "youtube.com", "the sharer"},
    {"si", "youtu.be", "the same"},
    {"si", "spotify.com", "the same"},
    {"feature", "youtube.com", "which button led here"},
    {"feature", "youtu.be", "the same"},
    {"pp", "youtube.com", "the search that led here"},
    {"s", "twitter.com", "which app shared it"},
    {"s", "x.com", "the same"},
    {"t", "twitter.com", "the sharer"},
    {"t", "x.com", "the same"},
    {"ref_src", "", "where an embedded post was clicked"},
    {"ref_url", "", "the same"},
    {"share_id", "reddit.com", "the sharer"},
    {"rdt", "reddit.com", "a redirect's counter"},
    {"_r", "tiktok.com", "the share"},
    {"_t", "tiktok.com", "the same"},
    {"is_from_webapp", "tiktok.com", "which app it was opened in"},
    {"sender_device", "tiktok.com", "the sharer's device"},
    {"is_copy_url", "tiktok.com", "how it was shared"},
    {"guccounter", "", "Yahoo's consent counter"},
    {"guce_referrer", "", "Yahoo's consent origin"},
    {"guce_referrer_sig", "", "the same"},
};

bool is_under(std::string_view host, std::string_view site) noexcept {
  if (!host.ends_with(site)) return false;
  return host.size() == site.size() || host[host.size() - site.size() - 1] == '.';
}

bool is_tracking(std::string_view name, std::string_view host) {
  const std::string lower = to_lower_ascii(percent_decode(name));
  for (const tracking_parameter& one : tracking_parameters) {
    const bool any_rest = one.name.ends_with('*');
    const bool named =
        any_rest ? lower.starts_with(one.name.substr(0, one.name.size() - 1)) : lower == one.name;
    if (named && (one.site.empty() || is_under(host, one.site))) return true;
  }
  return false;
}

/// The pairs of a query that are not tracking, as they were written.
std::vector<std::string_view> telling_pairs(std::string_view query, std::string_view host) {
  std::vector<std::string_view> pairs;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(pair.size() < query.size() ? pair.size() + 1 : pair.size());
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
  parsed->query = joined(telling_pairs(parsed->query, parsed->host));
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

}  // namespace

std::string canonical_url(std::string_view text) {
  const auto parsed = canonical(text);
  return parsed ? parsed->text() : std::string(text);
}

std::string same_page_key(std::string_view text) {
  const auto parsed = canonical(text);
  if (!parsed) return std::string(text);
  std::string key(without_www(parsed->host));
  if (!parsed->port.empty()) key.append(":").append(parsed->port);
  key += with_plain_escapes(parsed->path);
  while (key.ends_with('/')) key.pop_back();
  std::vector<std::string> pairs;
  for (const std::string_view pair : telling_pairs(parsed->query, parsed->host)) {
    pairs.push_back(with_plain_escapes(pair));
  }
  std::sort(pairs.begin(), pairs.end());
  if (!pairs.empty()) key.append("?").append(joined(pairs));
  if (is_route(parsed->fragment)) key.append("#").append(parsed->fragment);
  return key;
}

std::string host_of(std::string_view text) {
  const auto parsed = parse_url(text);
  if (!parsed || parsed->opaque) return {};
  return std::string(without_www(parsed->host));
}

}  // namespace freshet::base
