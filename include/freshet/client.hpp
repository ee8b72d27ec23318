// The calls, typed: the same interface in process (engine) and to a remote server (connect()).
// Parameters are those of the contract; empty strings, zeroes and empty lists are not sent.
#pragma once

#include <cstdint>
#include <freshet/item.hpp>
#include <freshet/response.hpp>
#include <freshet/result.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace freshet {

/// What every list takes.
struct list_parameters {
  int limit = 0;  ///< 1 to 100; 0: the default, 20
  std::string cursor;
  std::vector<std::string> sources;
  std::string lang, country;
};

struct lookup_parameters {
  std::string username;
  std::vector<std::string> sources;
};
struct timeline_parameters {
  std::string username, since;
  list_parameters list;
};
struct search_parameters {
  std::string q, since;
  list_parameters list;
};
struct query_parameters {
  std::string q;
  list_parameters list;
};
struct forum_search_parameters {
  std::string q, community, since;
  list_parameters list;
};
/// Give `id` or `url`.
struct thread_parameters {
  std::string id, url, sort;
  list_parameters list;
};
struct hashtag_parameters {
  std::string hashtag, since;
  list_parameters list;
};
struct scrape_parameters {
  std::string url;
  std::string mode;  ///< "article" (default) or "page"
  std::vector<std::string> include, exclude;
  std::string links;  ///< "inline" (default), "footnotes", "none"
  bool images = true;
  int max_age_s = 0;
  int timeout_ms = 0;
  int max_tokens = 0;
  std::string render;  ///< "never" (default), "auto" or "always"
};

class client;

/// Microblogs. Thread-safe, as its client.
class microblog_calls {
 public:
  explicit microblog_calls(client& through) : client_(&through) {}
  [[nodiscard]] result<single<user>> lookup(const lookup_parameters& of);
  [[nodiscard]] result<page<post>> posts(const timeline_parameters& of);
  [[nodiscard]] result<page<post>> search(const search_parameters& of);
  [[nodiscard]] result<page<post>> replies(const thread_parameters& of);

 private:
  client* client_;
};

class web_serp_calls {
 public:
  explicit web_serp_calls(client& through) : client_(&through) {}
  [[nodiscard]] result<page<web_result>> search(const query_parameters& of);

 private:
  client* client_;
};

class scrape_calls {
 public:
  explicit scrape_calls(client& through) : client_(&through) {}
  [[nodiscard]] result<single<document>> markdown(const scrape_parameters& of);

 private:
  client* client_;
};

class forum_calls {
 public:
  explicit forum_calls(client& through) : client_(&through) {}
  [[nodiscard]] result<page<forum_post>> search(const forum_search_parameters& of);
  [[nodiscard]] result<page<comment>> comments(const thread_parameters& of);

 private:
  client* client_;
};

class shortvideo_calls {
 public:
  explicit shortvideo_calls(client& through) : client_(&through) {}
  [[nodiscard]] result<page<video>> search(const query_parameters& of);
  [[nodiscard]] result<page<video>> hashtag(const hashtag_parameters& of);
  [[nodiscard]] result<single<user>> profile(const lookup_parameters& of);
  [[nodiscard]] result<page<video>> videos(const timeline_parameters& of);

 private:
  client* client_;
};

class news_calls {
 public:
  explicit news_calls(client& through) : client_(&through) {}
  [[nodiscard]] result<page<article>> search(const search_parameters& of);

 private:
  client* client_;
};

/// The interface of the engine and of a remote server. Thread-safe.
class client {
 public:
  virtual ~client() = default;

  /// Starts a call; see engine::submit.
  virtual std::uint64_t submit(request what, std::function<void(response)> done) = 0;
  virtual void cancel(std::uint64_t ticket) = 0;
  /// submit() and wait. Not from within a `done`.
  [[nodiscard]] response call(request what);

  [[nodiscard]] microblog_calls microblog() { return microblog_calls(*this); }
  [[nodiscard]] web_serp_calls web_serp() { return web_serp_calls(*this); }
  [[nodiscard]] scrape_calls scrape() { return scrape_calls(*this); }
  [[nodiscard]] forum_calls forum() { return forum_calls(*this); }
  [[nodiscard]] shortvideo_calls shortvideo() { return shortvideo_calls(*this); }
  [[nodiscard]] news_calls news() { return news_calls(*this); }

  /// The key that typed calls carry; empty: none.
  std::string api_key;
};

/// Called with every line an engine or a client wants to log; one line each, no newline, never a
/// key.
using log_sink = std::function<void(std::string_view level, std::string_view line)>;

/// A client of a remote server, e.g. "http://127.0.0.1:8080". Private addresses are allowed: the
/// caller chose the server. `log` may be null, and is called from any thread. Error:
/// invalid_configuration (not an http(s) URL).
[[nodiscard]] result<std::unique_ptr<client>> connect(std::string base_url, std::string api_key,
                                                      log_sink log = {});

}  // namespace freshet
