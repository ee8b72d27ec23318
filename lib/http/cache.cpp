// Looking up, revalidating, storing and forgetting.
#include <algorithm>
#include <base/unicode.hpp>
#include <http/cache.hpp>
#include <http/credentials.hpp>
#include <http/freshness.hpp>

namespace freshet::http {
namespace {

/// One answer takes at most this share of the cache.
constexpr std::size_t largest_share = 8;
constexpr int not_modified = 304;
/// Beside headers and body: list node, map node, strings' own size.
constexpr std::size_t entry_overhead = 512;

/// Headers with which the caller asks for something that a stored answer may not be.
constexpr std::string_view conditional[] = {"If-None-Match",       "If-Modified-Since", "If-Match",
                                            "If-Unmodified-Since", "If-Range",          "Range"};

bool is_candidate(const request& what) {
  if (what.method != "GET" || !what.cacheable || !what.body.empty()) return false;
  if (std::ranges::any_of(conditional, [&](std::string_view name) {
        return !find_header(what.headers, name).empty();
      })) {
    return false;
  }
  const cache_directives asked = read_cache_control(what.headers);
  return !asked.no_store && !asked.no_cache;
}

bool is_unsafe(const request& what) {
  return what.method != "GET" && what.method != "HEAD" && what.method != "OPTIONS" &&
         !what.repeatable;
}

/// What tells answers apart before Vary is asked. A credential that is no Authorization is part of
/// it: those have no rule of their own in RFC 9111. So is who chose the target: what only the
/// operator may reach is not given to a caller who names it.
std::string cache_key(const request& what) {
  headers credentials;
  for (const header& each : what.headers) {
    if (is_credential_header(each.name) &&
        !base::equals_ignoring_ascii_case(each.name, "Authorization")) {
      credentials.push_back(each);
    }
  }
  return what.url + (what.chosen_by == target_choice::configuration ? "\no" : "\n") +
         credential_digest(credentials);
}

/// The names in Vary; null for "*".
std::optional<std::vector<std::string>> read_vary(const headers& in) {
  std::vector<std::string> out;
  for (const header& each : in) {
    if (!base::equals_ignoring_ascii_case(each.name, "Vary")) continue;
    std::string_view rest = each.value;
    while (!rest.empty()) {
      const auto end = rest.find(',');
      const std::string name = base::to_lower_ascii(base::trim(rest.substr(0, end)));
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
      if (name == "*") return std::nullopt;
      if (!name.empty()) out.push_back(name);
    }
  }
  return out;
}

bool same_variant(const std::vector<std::pair<std::string, std::string>>& vary,
                  const request& request) {
  return std::ranges::all_of(vary, [&](const auto& each) {
    return find_header(request.headers, each.first) == each.second;
  });
}

std::size_t weight(const std::string& key, const response& response) {
  std::size_t out = entry_overhead + key.size() + response.body.size() + response.final_url.size();
  for (const header& each : response.headers) {
    out += each.name.size() + each.value.size() + sizeof(header);
  }
  return out;
}

void add_validators(request& request, const response& kept) {
  const std::string_view tag = find_header(kept.headers, "ETag");
  if (!tag.empty()) request.headers.push_back({"If-None-Match", std::string(tag)});
  const std::string_view modified = find_header(kept.headers, "Last-Modified");
  if (!modified.empty()) request.headers.push_back({"If-Modified-Since", std::string(modified)});
}

/// RFC 9111, 3.2: the fields of a 304 replace those that are kept, except what describes its body.
void update_headers(headers& kept, const headers& fresh) {
  const auto describes_body = [](const header& each) {
    const std::string name = base::to_lower_ascii(each.name);
    return name == "content-length" || name == "content-encoding" || name == "content-type" ||
           name == "content-range" || name == "transfer-encoding";
  };
  for (const header& each : fresh) {
    if (describes_body(each)) continue;
    std::erase_if(kept, [&](const header& old) {
      return base::equals_ignoring_ascii_case(old.name, each.name);
    });
  }
  for (const header& each : fresh) {
    if (!describes_body(each)) kept.push_back(each);
  }
}

}  // namespace

std::uint64_t cache::submit(request what, deadline by, handler done) {
  if (is_unsafe(what)) {
    // RFC 9111, 4.4: what has been changed is no longer what is stored.
    auto wrapped = [this, url = what.url, done = std::move(done)](result<response> got) {
      if (got && got->status < 400) invalidate(url);
      done(std::move(got));
    };
    return next_.submit(std::move(what), by, std::move(wrapped));
  }
  if (!is_candidate(what)) return next_.submit(std::move(what), by, std::move(done));

  std::string key = cache_key(what);
  const kept_entry kept = look_up(key, what);
  ++(kept.how == use::fresh ? hits_ : misses_);
  if (kept.how == use::fresh) {
    response copy = *kept.answer;
    copy.cache = cache_state::hit;
    copy.elapsed = std::chrono::milliseconds(0);
    done(std::move(copy));
    return 0;
  }
  request asked = what;
  if (kept.how == use::validate) add_validators(what, *kept.answer);
  auto wrapped = [this, key = std::move(key), asked = std::move(asked), kept = kept.answer,
                  done = std::move(done)](result<response> got) {
    try {
      if (kept != nullptr && got && got->status == not_modified) {
        got = merge(key, asked, kept, std::move(got));
      } else if (got) {
        store(key, asked, *got);
      }
    } catch (const std::bad_alloc&) {
      got = error(errc::overloaded);
    }
    done(std::move(got));
  };
  return next_.submit(std::move(what), by, std::move(wrapped));
}

cache::kept_entry cache::look_up(const std::string& key, const request& request) {
  const std::lock_guard lock(mutex_);
  const auto at = by_key_.find(key);
  if (at == by_key_.end()) return {};
  const auto variant = std::ranges::find_if(
      at->second, [&](const auto& each) { return same_variant(each->vary, request); });
  if (variant == at->second.end()) return {};
  const entry& kept = **variant;
  if (kept.answer->body.size() > request.body_limit) return {};
  entries& order = shares_.at(kept.owner).order;
  order.splice(order.begin(), order, *variant);
  const auto age =
      kept.age_on_arrival + std::chrono::floor<std::chrono::seconds>(clock_.steady() - kept.stored);
  const bool fresh = age < kept.lifetime;
  bool usable = fresh && !kept.revalidate_always;
  if (request.max_age) {
    const bool may_be_stale = !kept.revalidate_always && !kept.revalidate_stale;
    usable = (usable || may_be_stale) && request.max_age->count() > 0 && age <= *request.max_age;
  }
  if (usable) return {use::fresh, kept.answer};
  if (kept.has_validator) return {use::validate, kept.answer};
  return {};
}

void cache::store(const std::string& key, const request& request, const response& got) {
  if (!is_cacheable_status(got) || request.truncate_body || is_stored(key, request, got)) return;
  const cache_directives said = read_cache_control(got.headers);
  std::optional<std::vector<std::string>> names = read_vary(got.headers);
  const bool is_personal =
      !find_header(request.headers, "Authorization").empty() && !said.is_public;
  entry fresh;
  fresh.size = weight(key, got);
  const bool keep =
      !said.no_store && names && !is_personal && fresh.size <= capacity_ / largest_share;
  if (keep) {
    for (std::string& name : *names) {
      std::string value(find_header(request.headers, name));
      fresh.vary.emplace_back(std::move(name), std::move(value));
    }
    fresh.key = key;
    fresh.owner = request.owner;
    const time_point now = clock_.now();
    // What came from another address says how long *that* address may be kept, not this one.
    const bool redirected = got.final_url != request.url && !got.final_url.empty();
    fresh.lifetime = redirected ? std::chrono::seconds(0) : freshness_lifetime(got, now);
    fresh.age_on_arrival = age_on_arrival(got.headers, now);
    fresh.stored = clock_.steady();
    fresh.revalidate_always = said.no_cache;
    fresh.revalidate_stale = said.must_revalidate;
    fresh.has_validator = !redirected && (!find_header(got.headers, "ETag").empty() ||
                                          !find_header(got.headers, "Last-Modified").empty());
    fresh.answer = std::make_shared<const response>(got);
  }
  const std::lock_guard lock(mutex_);
  if (const auto at = by_key_.find(key); at != by_key_.end()) {
    const std::vector<entries::iterator> old = at->second;
    const bool full = keep && old.size() >= max_cache_variants;
    for (const entries::iterator each : old) {
      if (same_variant(each->vary, request) || (full && each == old.front())) remove(each);
    }
  }
  if (!keep) return;
  add(std::move(fresh));
  while (size_ > capacity_) remove(std::prev(shares_.at(by_size_.rbegin()->second).order.end()));
}

void cache::add(entry&& fresh) {
  // What may fail for want of memory comes first, and leaves at most places that are empty.
  const auto [owner, size] = std::pair(fresh.owner, fresh.size);
  if (!shares_.contains(owner)) by_size_.emplace(0, owner);
  share& into = shares_[owner];
  std::vector<entries::iterator>& of_key = by_key_[fresh.key];
  of_key.reserve(of_key.size() + 1);
  into.order.push_front(std::move(fresh));
  of_key.push_back(into.order.begin());
  resize(owner, into.size + size);
}

void cache::resize(std::int64_t owner, std::size_t to) {
  share& of = shares_.at(owner);
  auto place = by_size_.extract({of.size, owner});
  size_ += to - of.size;
  of.size = to;
  if (to == 0) {
    shares_.erase(owner);
    return;
  }
  place.value() = {to, owner};
  by_size_.insert(std::move(place));
}

bool cache::is_stored(const std::string& key, const request& request, const response& got) {
  // Callers who shared one exchange bring the same answer one after the other.
  const std::lock_guard lock(mutex_);
  const auto at = by_key_.find(key);
  return at != by_key_.end() && std::ranges::any_of(at->second, [&](const entries::iterator each) {
           return same_variant(each->vary, request) && each->answer->fetched_at == got.fetched_at &&
                  each->answer->body == got.body;
         });
}

void cache::drop() {
  decltype(shares_) dropped;  // let go of outside the lock
  const std::lock_guard lock(mutex_);
  dropped.swap(shares_);
  by_size_.clear();
  by_key_.clear();
  size_ = 0;
}

void cache::remove(entries::iterator at) {
  const auto of_key = by_key_.find(at->key);
  std::erase(of_key->second, at);
  if (of_key->second.empty()) by_key_.erase(of_key);
  const auto [owner, size] = std::pair(at->owner, at->size);
  share& of = shares_.at(owner);
  of.order.erase(at);
  resize(owner, of.size - size);
}

void cache::invalidate(const std::string& url) {
  const std::lock_guard lock(mutex_);
  std::vector<entries::iterator> over;
  for (const auto& [key, of_key] : by_key_) {
    if (!key.starts_with(url) || key[url.size()] != '\n') continue;
    over.insert(over.end(), of_key.begin(), of_key.end());
  }
  for (const entries::iterator each : over) remove(each);
}

result<response> cache::merge(const std::string& key, const request& request,
                              const std::shared_ptr<const response>& kept, result<response> got) {
  response out = *kept;
  update_headers(out.headers, got->headers);
  out.fetched_at = got->fetched_at;
  store(key, request, out);
  out.elapsed = got->elapsed;
  out.cache = cache_state::revalidated;
  return out;
}

}  // namespace freshet::http
