// q and since, kept on our side where the source does not keep them on its own.
#include "engine/gather/filter.hpp"

namespace freshet::detail {

bool keeps_promises(const sources::call& asked, const sources::capability& by,
                    const item& candidate) {
  const auto has = [&](unsigned promise) { return (by.native & promise) != 0; };
  if (asked.since && !has(sources::native_since)) {
    const auto& at = common(candidate).created_at;
    if (!at || *at < *asked.since) return false;
  }
  if (asked.q.terms.empty()) return true;
  query::match_rules rules;
  rules.words = !has(sources::native_words);
  rules.phrases = !has(sources::native_phrases);
  rules.exclusions = !has(sources::native_exclusions);
  if (!rules.words && !rules.phrases && !rules.exclusions) return true;
  return query::matches(asked.q, candidate, rules);
}

bool past_since(const sources::call& asked, const sources::capability& by,
                const sources::listing& page) {
  if (!asked.since || (by.native & sources::newest_first) == 0) return false;
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
