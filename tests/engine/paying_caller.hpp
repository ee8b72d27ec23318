// An engine as the server opens it, with an account that pays for pages of a site on loopback: what
// fails below a call is seen in its answer and in its books.
#pragma once

#include <account/fixture.hpp>
#include <base/json.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <freshet/engine.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <support/loopback_server.hpp>
#include <utility>

namespace freshet::test {

class paying_caller {
 public:
  paying_caller() {
    site_.on("/robots.txt", [](const auto&, loopback_server::connection& to) {
      to.send("HTTP/1.1 200 OK\r\nContent-Length: 26\r\n\r\nUser-agent: *\nDisallow: /no");
    });
    engine_options options;
    options.with_accounts = true;
    const std::pair<const char*, std::string> settings[] = {
        {"storage.data_dir", folder_.file("")},  {"scrape.allow_private", "127.0.0.0/8"},
        {"plans.free.rate", "100000"},           {"plans.free.burst", "100000"},
        {"plans.free.processor_share", "1000"},  {"server.max_answer_bytes", "65536"},
        {"plans.free.monthly_credits", "100000"}};
    for (const auto& [key, value] : settings) REQUIRE(options.config.set(key, value));
    inside_ = engine::open(std::move(options)).value();
    REQUIRE(inside_->run_admin_command("accounts.create", R"({"email": "a@example.org"})"));
    const auto made = inside_->run_admin_command("keys.create", R"({"email": "a@example.org"})");
    key_ = base::text_of(base::member(base::parse_json(made.value()).value(), "key"));
    REQUIRE(key_.starts_with("frs_live_"));
  }

  /// A page that nobody has asked for before.
  response ask() { return ask({}); }
  /// A call about a page of so many items of a list.
  response extract_of(std::size_t items, std::string schema) {
    const std::string path = "/list" + std::to_string(++pages_);
    std::string page = "<title>Tides</title><main><ul>";
    for (std::size_t i = 0; i < items; ++i) {
      page += "<li class=tide>" + std::to_string(i) + std::string(90, 'x') + "</li>";
    }
    site_.reply(path, 200, page, {{"Content-Type", "text/html"}});
    return call("scrape/extract",
                R"({"url":")" + site_.url(path) + R"(","schema":)" + std::move(schema) + "}");
  }
  /// The same, under a name by which it may be repeated.
  response ask(std::string idempotency_key) {
    const std::string path = "/page" + std::to_string(++pages_);
    site_.reply(path, 200, "<title>Tides</title><main><p>High water at noon.</p></main>");
    return call("scrape/markdown",
                boost::json::serialize(boost::json::object{{"url", site_.url(path)}}),
                std::move(idempotency_key));
  }

  /// The addresses of a site whose sitemaps, so many of them, hold none.
  response map_of_nothing(int sitemaps, std::string_view cursor = {}) {
    std::string index = "<sitemapindex>";
    for (int i = 0; i < sitemaps; ++i) {
      const std::string path = "/map" + std::to_string(i) + ".xml";
      site_.reply(path, 200, "<urlset></urlset>", {{"Content-Type", "text/xml"}});
      index += "<sitemap><loc>" + site_.url(path) + "</loc></sitemap>";
    }
    site_.reply("/sitemap.xml", 200, index + "</sitemapindex>", {{"Content-Type", "text/xml"}});
    boost::json::object what{{"url", site_.url("/sitemap.xml")}};
    if (!cursor.empty()) what["cursor"] = cursor;
    return call("scrape/map", boost::json::serialize(what));
  }

  struct books {
    std::int64_t balance = 0, reserved = 0;
  };
  books books_now() {
    const auto shown = base::parse_json(call("account/show", "{}").body).value();
    const auto number = [&](std::string_view name) {
      return base::integer_of(base::member(shown, "data", name)).value();
    };
    return {number("balance"), number("reserved")};
  }

  [[nodiscard]] bool is_ready() const { return inside_->ready(); }
  void verify() { CHECK(inside_->run_admin_command("ledger.verify", "{}").has_value()); }

 private:
  response call(std::string endpoint, std::string body, std::string idempotency_key = {}) {
    request what;
    what.endpoint = std::move(endpoint);
    what.body = std::move(body);
    what.api_key = key_;
    what.idempotency_key = std::move(idempotency_key);
    return inside_->call(std::move(what));
  }

  account::test::temporary_folder folder_;
  loopback_server site_;
  int pages_ = 0;
  std::string key_;
  std::unique_ptr<engine> inside_;
};

}  // namespace freshet::test
