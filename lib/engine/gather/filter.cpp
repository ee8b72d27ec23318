// q, since and sites, kept on our side where the source does not keep them on its own.
#include "engine/gather/filter.hpp"

#include <algorithm>
#include <base/host.hpp>
#include <base/url.hpp>

namespace freshet::detail {

namespace {

/// Whether a page is of the sites that the call is kept to, and of none that it is kept from.
bool is_in_scope(const sources::call& asked, const std::string& address) {
  if (asked.sites.empty() && asked.exclude_sites.empty()) return true;
  const auto url = base::parse_url(address);
  if (!url) return false;
  const auto has_it = [&](const std::string& site) { return base::is_of_domain(url->host, site); };
  return (asked.sites.empty() || std::ranges::any_of(asked.sites, has_it)) &&
         std::ranges::none_of(asked.exclude_sites, has_it);
}

}  // namespace

bool keeps_promises(const sources::call& asked, const sources::capability& capability,
                    const item& candidate) {
  const auto has = [&](unsigned promise) { return (capability.native & promise) != 0; };
  if (asked.since && !has(sources::native_since)) {
    const auto& at = common(candidate).created_at;
    if (!at || *at < *asked.since) return false;
  }
  if (!is_in_scope(asked, common(candidate).url)) return false;
  if (asked.q.terms.empty()) return true;
  query::match_rules rules;
  rules.words = !has(sources::native_words);
  rules.phrases = !has(sources::native_phrases);
  rules.exclusions = !has(sources::native_exclusions);
  if (!rules.words && !rules.phrases && !rules.exclusions) return true;
  return query::matches(asked.q, candidate, rules);
}

bool past_since(const sources::call& asked, const sources::capability& capability,
                const sources::listing& page) {
  if (!asked.since || (capability.native & sources::newest_first) == 0) return false;
  // A repost carries the time of what it repeats, which says nothing of where the page stands.
  for (auto at = page.items.rbegin(); at != page.items.rend(); ++at) {
    const auto* one = std::get_if<post>(&*at);
    if (one != nullptr && !one->reposted_by.id.empty()) continue;
    const auto& created = common(*at).created_at;
    if (created) return *created < *asked.since;
  }
  return false;
}

}  // namespace freshet::detail
