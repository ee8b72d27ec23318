// The typed calls: parameters to JSON, an envelope back to items. Nothing here knows whether the
// other end is in this process.
#include <base/invalid_parameter.hpp>
#include <base/json.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <condition_variable>
#include <freshet/client.hpp>
#include <model/json.hpp>
#include <mutex>
#include <optional>

namespace freshet {
namespace {

namespace json = boost::json;

/// The body of a call; what is empty is not sent.
class body {
 public:
  body& text(const char* name, const std::string& value) {
    if (!value.empty()) values_[name] = value;
    return *this;
  }
  body& number(const char* name, int value) {
    if (value != 0) values_[name] = value;
    return *this;
  }
  body& flag(const char* name, bool value) {
    values_[name] = value;
    return *this;
  }
  body& list(const char* name, const std::vector<std::string>& values) {
    if (values.empty()) return *this;
    json::array array;
    for (const auto& value : values) array.emplace_back(value);
    values_[name] = std::move(array);
    return *this;
  }
  body& object(const char* name, json::value value) {
    values_[name] = std::move(value);
    return *this;
  }
  body& passages(const std::optional<highlight_parameters>& of) {
    if (!of) return *this;
    body inside;
    inside.text("query", of->query).number("max_tokens", of->max_tokens);
    if (of->instead_of_text) inside.flag("instead_of_text", true);
    return object("highlights", std::move(inside.values_));
  }
  body& common(const list_parameters& of) {
    return number("limit", of.limit)
        .passages(of.highlights)
        .text("cursor", of.cursor)
        .list("sources", of.sources)
        .text("lang", of.lang)
        .text("country", of.country)
        .number("deadline_ms", of.deadline_ms);
  }
  [[nodiscard]] std::string str() const { return json::serialize(values_); }

 private:
  json::object values_;
};

result<model::parsed_envelope> ask(client& through, const char* endpoint, const body& body) {
  request what;
  what.endpoint = endpoint;
  what.body = body.str();
  what.api_key = through.api_key;
  const auto answer = through.call(std::move(what));
  if (!answer.ok()) {
    auto why = model::read_problem(answer.body, answer.status);
    if (!why.retry_after) why.retry_after = answer.retry_after;
    return why;
  }
  return model::read_envelope(answer.body);
}

error unexpected(const char* endpoint) {
  return error(errc::source_error, std::string(endpoint) + " answered with another kind of item");
}

template <class T>
result<page<T>> ask_page(client& through, const char* endpoint, const body& body) {
  auto answer = ask(through, endpoint, body);
  if (!answer) return answer.error();
  page<T> made;
  made.page_state = std::move(answer->page);
  made.meta = std::move(answer->meta);
  if constexpr (std::is_same_v<T, item>) {
    made.data = std::move(answer->items);
  } else {
    made.data.reserve(answer->items.size());
    for (auto& one : answer->items) {
      auto* typed = std::get_if<T>(&one);
      if (typed == nullptr) return unexpected(endpoint);
      made.data.push_back(std::move(*typed));
    }
  }
  return made;
}

template <class T>
result<single<T>> ask_single(client& through, const char* endpoint, const body& body) {
  auto answer = ask(through, endpoint, body);
  if (!answer) return answer.error();
  auto* typed = answer->items.empty() ? nullptr : std::get_if<T>(&answer->items.front());
  if (typed == nullptr) return unexpected(endpoint);
  return single<T>{std::move(*typed), std::move(answer->meta)};
}

/// One item, by its id or its address.
template <class T>
result<single<T>> ask_item(client& through, const char* endpoint,
                           const item_parameters& parameters) {
  return ask_single<T>(through, endpoint,
                       body()
                           .text("id", parameters.id)
                           .text("url", parameters.url)
                           .list("sources", parameters.sources));
}

}  // namespace

response client::call(request what) {
  struct mailbox {
    std::mutex mutex;
    std::condition_variable arrived;
    std::optional<response> answer;
  };
  const auto box = std::make_shared<mailbox>();  // the other thread may let go of it last
  submit(std::move(what), [box](response made) {
    const std::lock_guard lock(box->mutex);
    box->answer = std::move(made);
    box->arrived.notify_one();
  });
  std::unique_lock lock(box->mutex);
  box->arrived.wait(lock, [&box] { return box->answer.has_value(); });
  return std::move(*box->answer);
}

result<page<item>> all_calls::search(const all_search_parameters& of) {
  body sent;
  sent.text("q", of.q).list("platforms", of.platforms).text("since", of.since).common(of.list);
  if (of.cluster) sent.flag("cluster", true);
  return ask_page<item>(*client_, "all/search", sent);
}

result<single<user>> microblog_calls::lookup(const lookup_parameters& of) {
  return ask_single<user>(*client_, "microblog/users/lookup",
                          body().text("username", of.username).list("sources", of.sources));
}

result<page<post>> microblog_calls::posts(const timeline_parameters& of) {
  return ask_page<post>(
      *client_, "microblog/users/posts",
      body().text("username", of.username).text("since", of.since).common(of.list));
}

result<page<user>> microblog_calls::find_users(const query_parameters& of) {
  return ask_page<user>(*client_, "microblog/users/search", body().text("q", of.q).common(of.list));
}

result<page<user>> microblog_calls::followers(const follows_parameters& of) {
  return ask_page<user>(*client_, "microblog/users/followers",
                        body().text("username", of.username).common(of.list));
}

result<page<user>> microblog_calls::following(const follows_parameters& of) {
  return ask_page<user>(*client_, "microblog/users/following",
                        body().text("username", of.username).common(of.list));
}

result<page<post>> microblog_calls::search(const search_parameters& of) {
  return ask_page<post>(*client_, "microblog/search",
                        body().text("q", of.q).text("since", of.since).common(of.list));
}

result<single<post>> microblog_calls::find_post(const item_parameters& of) {
  return ask_item<post>(*client_, "microblog/posts/lookup", of);
}

result<page<post>> microblog_calls::replies(const thread_parameters& of) {
  return ask_page<post>(*client_, "microblog/posts/replies",
                        body().text("id", of.id).text("url", of.url).common(of.list));
}

result<page<trend>> microblog_calls::trends(const trends_parameters& of) {
  return ask_page<trend>(*client_, "microblog/trends", body().common(of.list));
}

result<page<web_result>> web_serp_calls::search(const web_search_parameters& of) {
  return ask_page<web_result>(*client_, "web-serp/search",
                              body()
                                  .text("q", of.q)
                                  .text("since", of.since)
                                  .list("sites", of.sites)
                                  .list("exclude_sites", of.exclude_sites)
                                  .common(of.list));
}

result<page<web_image>> web_serp_calls::images(const search_parameters& of) {
  return ask_page<web_image>(*client_, "web-serp/images/search",
                             body().text("q", of.q).text("since", of.since).common(of.list));
}

result<page<video>> web_serp_calls::videos(const search_parameters& of) {
  return ask_page<video>(*client_, "web-serp/videos/search",
                         body().text("q", of.q).text("since", of.since).common(of.list));
}

result<page<suggestion>> web_serp_calls::suggest(const query_parameters& of) {
  return ask_page<suggestion>(*client_, "web-serp/suggest", body().text("q", of.q).common(of.list));
}

result<single<document>> scrape_calls::markdown(const scrape_parameters& of) {
  body sent;
  sent.text("url", of.url).text("mode", of.mode).text("links", of.links);
  sent.text("render", of.render).text("safety", of.safety);
  sent.list("include", of.include).list("exclude", of.exclude);
  sent.number("max_age_s", of.max_age_s).number("timeout_ms", of.timeout_ms);
  sent.number("max_tokens", of.max_tokens).passages(of.highlights);
  if (!of.images) sent.flag("images", false);
  return ask_single<document>(*client_, "scrape/markdown", sent);
}

result<page<site_address>> scrape_calls::map(const map_parameters& of) {
  return ask_page<site_address>(*client_, "scrape/map",
                                body()
                                    .text("url", of.url)
                                    .text("q", of.q)
                                    .number("limit", of.limit)
                                    .text("cursor", of.cursor)
                                    .number("max_age_s", of.max_age_s)
                                    .number("timeout_ms", of.timeout_ms));
}

result<single<extraction>> scrape_calls::extract(const extract_parameters& of) {
  auto schema = base::parse_json(of.schema);
  if (!schema) {
    return base::invalid_parameter("/schema", "invalid_format",
                                   "no JSON: " + schema.error().detail());
  }
  return ask_single<extraction>(*client_, "scrape/extract",
                                body()
                                    .text("url", of.url)
                                    .object("schema", std::move(*schema))
                                    .number("max_age_s", of.max_age_s)
                                    .number("timeout_ms", of.timeout_ms));
}

result<page<forum_post>> forum_calls::search(const forum_search_parameters& of) {
  return ask_page<forum_post>(*client_, "forum/search",
                              body()
                                  .text("q", of.q)
                                  .text("community", of.community)
                                  .text("sort", of.sort)
                                  .text("since", of.since)
                                  .common(of.list));
}

result<page<forum_post>> forum_calls::posts(const community_parameters& of) {
  return ask_page<forum_post>(*client_, "forum/communities/posts",
                              body()
                                  .text("community", of.community)
                                  .text("sort", of.sort)
                                  .text("since", of.since)
                                  .common(of.list));
}

result<single<forum_post>> forum_calls::find_post(const item_parameters& of) {
  return ask_item<forum_post>(*client_, "forum/posts/lookup", of);
}

result<page<comment>> forum_calls::comments(const thread_parameters& of) {
  return ask_page<comment>(
      *client_, "forum/posts/comments",
      body().text("id", of.id).text("url", of.url).text("sort", of.sort).common(of.list));
}

result<page<video>> shortvideo_calls::search(const video_search_parameters& of) {
  return ask_page<video>(*client_, "shortvideo/search",
                         body().text("q", of.q).text("sort", of.sort).common(of.list));
}

result<single<video>> shortvideo_calls::find_video(const item_parameters& of) {
  return ask_item<video>(*client_, "shortvideo/videos/lookup", of);
}

result<page<comment>> shortvideo_calls::comments(const thread_parameters& of) {
  return ask_page<comment>(
      *client_, "shortvideo/videos/comments",
      body().text("id", of.id).text("url", of.url).text("sort", of.sort).common(of.list));
}

result<single<transcript>> shortvideo_calls::find_transcript(const transcript_parameters& of) {
  return ask_single<transcript>(*client_, "shortvideo/videos/transcript",
                                body()
                                    .text("id", of.id)
                                    .text("url", of.url)
                                    .text("lang", of.lang)
                                    .list("sources", of.sources));
}

result<page<video>> shortvideo_calls::trends(const trends_parameters& of) {
  return ask_page<video>(*client_, "shortvideo/trends", body().common(of.list));
}

result<page<video>> shortvideo_calls::hashtag(const hashtag_parameters& of) {
  return ask_page<video>(
      *client_, "shortvideo/hashtags/videos",
      body().text("hashtag", of.hashtag).text("since", of.since).common(of.list));
}

result<single<user>> shortvideo_calls::profile(const lookup_parameters& of) {
  return ask_single<user>(*client_, "shortvideo/profiles/lookup",
                          body().text("username", of.username).list("sources", of.sources));
}

result<page<video>> shortvideo_calls::videos(const timeline_parameters& of) {
  return ask_page<video>(
      *client_, "shortvideo/profiles/videos",
      body().text("username", of.username).text("since", of.since).common(of.list));
}

result<page<article>> news_calls::search(const search_parameters& of) {
  return ask_page<article>(*client_, "news/search",
                           body().text("q", of.q).text("since", of.since).common(of.list));
}

result<page<article>> news_calls::headlines(const headlines_parameters& of) {
  return ask_page<article>(*client_, "news/headlines",
                           body().text("topic", of.topic).common(of.list));
}

result<source_part> read_source_event(std::string_view event) {
  return model::read_source_event(event);
}

}  // namespace freshet
