// Looking up, revalidating, storing and forgetting.
#include <algorithm>
#include <base/digest.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <http/answer_readings.hpp>
#include <http/cache.hpp>
#include <http/freshness.hpp>

namespace freshet::http {
namespace {

/// Beside headers and body: the objects, strings' own size.
constexpr std::size_t entry_overhead = 384;

bool is_candidate(const request& what) {
  return takes_kept_answers(what) && find_header(what.headers, "If-None-Match").empty() &&
         find_header(what.headers, "If-Modified-Since").empty();
}

bool is_unsafe(const request& what) {
  return what.method != "GET" && what.method != "HEAD" && what.method != "OPTIONS" &&
         !what.repeatable;
}

/// Whose page leads there: the pages of a site share what it gives them.
std::string origin_of(const std::string& referer) {
  const std::optional<base::url> url = base::parse_url(referer);
  return url ? url->origin() : referer;
}

/// What tells answers apart: all that one may depend on, whether its server says so by Vary or not.
/// Pages that a browser runs choose fields as they like, and what a server makes of those is not to
/// be given to who asks without them. Nor is what only the operator may reach given to a caller who
/// names it.
std::string cache_key(const request& what) {
  std::string fields;
  for (const header& each : what.headers) {
    const std::string name = base::to_lower_ascii(each.name);
    fields.append(name).append(1, ':').append(name == "referer" ? origin_of(each.value)
                                                                : each.value);
    fields += '\n';
  }
  // Digested, so that no credential lies about in a key.
  if (!fields.empty()) fields = base::as_text(base::sha256(fields));
  return what.url + (what.chosen_by == target_choice::configuration ? "\no" : "\n") + fields;
}

/// Whether an answer depends on more than its key has.
bool varies_beyond_key(const headers& in) {
  for (const header& each : in) {
    if (!base::equals_ignoring_ascii_case(each.name, "Vary")) continue;
    std::string_view rest = each.value;
    while (!rest.empty()) {
      const auto end = std::min(rest.find(','), rest.size());
      const auto name = base::trim(rest.substr(0, end));
      if (name == "*" || base::equals_ignoring_ascii_case(name, "Referer")) return true;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return false;
}

std::size_t weight(const response& response) {
  std::size_t out = entry_overhead + response.body.size() + response.final_url.size();
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

std::uint64_t cache::submit(request&& wanted, deadline deadline, handler done) {
  if (is_unsafe(wanted)) {
    // RFC 9111, 4.4: what has been changed is no longer what is stored. A page that a browser runs
    // changes what it likes, so it goes for who had the page run alone.
    auto wrapped = [this, url = wanted.url, owner = wanted.owner,
                    done = std::move(done)](result<response> got) {
      if (got && got->status < 400) shelf_->remove_beginning(url + '\n', owner);
      done(std::move(got));
    };
    return next_.submit(std::move(wanted), deadline, std::move(wrapped));
  }
  if (!is_candidate(wanted)) return next_.submit(std::move(wanted), deadline, std::move(done));

  std::string key = cache_key(wanted);
  const kept_entry kept = look_up(key, wanted);
  ++(kept.how == use::fresh ? hits_ : misses_);
  if (kept.how == use::fresh) {
    done(copy_for(wanted, kept));
    return 0;
  }
  request asked = wanted;
  if (kept.how == use::validate) add_validators(wanted, *kept.answer);
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
  return next_.submit(std::move(wanted), deadline, std::move(wrapped));
}

std::optional<cache::steady> cache::entry::usable_until(const request& by) const {
  if (revalidate_always) return std::nullopt;
  const steady born = stored - age_on_arrival;
  if (!by.max_age) return born + lifetime;
  if (by.max_age->count() <= 0) return std::nullopt;
  // Up to that age and with it; as long as it is fresh if its server wants no other.
  const steady accepted = born + *by.max_age + std::chrono::seconds(1);
  return revalidate_stale ? std::min(accepted, born + lifetime) : accepted;
}

cache::kept_entry cache::look_up(const std::string& key, const request& request) {
  const auto found = std::static_pointer_cast<const entry>(shelf_->find(key));
  if (!found) return {};
  const entry& kept = *found;
  if (kept.answer->body.size() > request.body_limit) return {};
  const auto until = kept.usable_until(request);
  if (until && clock_.steady() < *until) return {use::fresh, kept.answer, until};
  if (kept.has_validator) return {use::validate, kept.answer, {}};
  return {};
}

/// Without the body where somebody has read it already for the same purpose.
result<response> cache::copy_for(const request& request, const kept_entry& kept) {
  const response& whole = *kept.answer;
  response copy;
  copy.status = whole.status;
  copy.headers = whole.headers;
  copy.final_url = whole.final_url;
  copy.fetched_at = whole.fetched_at;
  copy.warnings = whole.warnings;
  copy.readings = whole.readings;
  if (!request.reading.empty()) copy.reading = whole.readings->find(request.reading);
  if (copy.reading == nullptr) copy.body = whole.body;
  copy.cache = cache_state::hit;
  copy.fresh_until = kept.until;
  return copy;
}

/// Keeps an answer, if it may be, and says in it until when it is fresh.
void cache::store(const std::string& key, const request& request, response& got) {
  if (!is_cacheable_status(got) || request.truncate_body) return;
  const std::lock_guard lock(storing_);
  const auto found = std::static_pointer_cast<const entry>(shelf_->find(key));
  // Callers who shared one exchange bring the same answer one after the other.
  if (found && found->answer->fetched_at == got.fetched_at && found->answer->body == got.body) {
    got.readings = found->answer->readings;
    got.fresh_until = found->usable_until(request);
    return;
  }
  auto fresh = make_entry(key, request, got);
  if (!fresh) {
    if (found) shelf_->remove(key);
    return;
  }
  got.fresh_until = fresh->usable_until(request);
  const std::size_t size = fresh->size + fresh->answer->readings->bytes();
  shelf_->put(key, request.owner, size, std::move(fresh));
}

/// Null if the answer may not be kept.
std::shared_ptr<const cache::entry> cache::make_entry(const std::string& key,
                                                      const request& request, response& got) {
  const cache_directives said = read_cache_control(got.headers);
  const std::size_t size = weight(got);
  if (said.no_store || varies_beyond_key(got.headers) || is_personal(request, said)) return nullptr;
  if (size > shelf_->capacity() / base::largest_shelf_share) return nullptr;
  auto fresh = std::make_shared<entry>();
  fresh->size = size;
  const time_point now = clock_.now();
  fresh->lifetime = freshness_lifetime(request, got, now);
  fresh->age_on_arrival = age_on_arrival(got.headers, now);
  fresh->stored = clock_.steady();
  fresh->revalidate_always = said.no_cache;
  fresh->revalidate_stale = said.must_revalidate;
  fresh->has_validator =
      !is_redirected(request, got) && (!find_header(got.headers, "ETag").empty() ||
                                       !find_header(got.headers, "Last-Modified").empty());
  got.readings = std::make_shared<answer_readings>(shelf_, key);
  fresh->answer = std::make_shared<const response>(got);
  return fresh;
}

result<response> cache::merge(const std::string& key, const request& request,
                              const std::shared_ptr<const response>& kept, result<response> got) {
  response out = *kept;
  out.readings = nullptr;
  update_headers(out.headers, got->headers);
  out.fetched_at = got->fetched_at;
  store(key, request, out);
  out.elapsed = got->elapsed;
  out.cache = cache_state::revalidated;
  return out;
}

}  // namespace freshet::http
