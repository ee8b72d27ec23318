// Pages in a real Chromium, through the real stack, from a server on loopback.
#include <browser/find.hpp>
#include <browser/render_layer.hpp>
#include <catch2/catch.hpp>
#include <future>
#include <http/stack.hpp>
#include <support/loopback_server.hpp>
#include <support/print_result.hpp>

using namespace freshet;
using namespace std::chrono_literals;

namespace {

const test::loopback_server::header_list as_html{{"Content-Type", "text/html; charset=utf-8"}};
const test::loopback_server::header_list as_script{{"Content-Type", "text/javascript"}};

/// A page whose body is made by a script.
std::string scripted(const std::string& script) {
  return "<!doctype html><title>t</title><body><div id=root></div><script>" + script + "</script>";
}

/// A layer over a stack that may reach 127.0.0.1 and no other private address.
std::unique_ptr<browser::render_layer> make_layer(browser::options with = {}) {
  http::stack_options below;
  below.user_agent = "Freshet/test";
  below.allow_private = {"127.0.0.1/32"};
  auto stack = http::make_stack(std::move(below));
  REQUIRE(stack);
  with.program = *browser::find_browser(with.program);
  return std::make_unique<browser::render_layer>(std::move(*stack), std::move(with));
}

std::future<result<http::response>> submit(browser::render_layer& to, const std::string& url,
                                           std::chrono::milliseconds time = 30s) {
  http::request what;
  what.url = url;
  what.render = http::rendering::always;
  auto promise = std::make_shared<std::promise<result<http::response>>>();
  to.submit(std::move(what), std::chrono::steady_clock::now() + time,
            [promise](result<http::response> got) { promise->set_value(std::move(got)); });
  return promise->get_future();
}

result<http::response> render(browser::render_layer& to, const std::string& url,
                              std::chrono::milliseconds time = 30s) {
  return submit(to, url, time).get();
}

bool holds(const http::response& page, std::string_view text) {
  return page.body.find(text) != std::string::npos;
}

}  // namespace

#define NEED_BROWSER()                          \
  if (!browser::find_browser("")) {             \
    WARN("skipped: Chromium is not installed"); \
    return;                                     \
  }

TEST_CASE("a page is what its scripts make of it", "[browser]") {
  NEED_BROWSER();
  test::loopback_server server;
  server.reply("/", 200,
               "<!doctype html><title>t</title><div id=root></div><script src=/app.js></script>",
               as_html);
  server.reply("/app.js", 200,
               "fetch('/data').then(r => r.text()).then(t => { document.cookie = 'a=b';"
               "document.getElementById('root').innerHTML = '<p>made of ' + t + '</p>'})",
               as_script);
  server.reply("/data", 200, "data", {{"Content-Type", "text/plain"}});
  const auto layer = make_layer();
  const auto page = render(*layer, server.url("/"));
  REQUIRE(page);
  CHECK(page->rendered);
  CHECK(page->status == 200);
  CHECK(page->final_url == server.url("/"));
  CHECK(holds(*page, "<p>made of data</p>"));
  CHECK(http::find_header(page->headers, "content-type") == "text/html; charset=utf-8");
  CHECK(page->warnings.empty());
  // Our own name goes out, and the page itself was asked once.
  CHECK(server.last("/data").header("user-agent") == "Freshet/test");
  CHECK(server.count("/") == 1);
}

TEST_CASE("a script's request that is redirected to a private address is refused", "[browser]") {
  NEED_BROWSER();
  test::loopback_server server;
  server.reply("/", 200,
               scripted("fetch('/moved').then(r => r.text()).catch(e => 'refused').then(t => "
                        "document.getElementById('root').textContent = t);"
                        "fetch('http://169.254.169.254/latest').catch(e => 0)"),
               as_html);
  server.reply("/moved", 302, "",
               {{"Location", "http://127.0.0.2:" + std::to_string(server.port()) + "/secret"}});
  server.reply("/secret", 200, "secret");
  const auto layer = make_layer();
  const auto page = render(*layer, server.url("/"));
  REQUIRE(page);
  CHECK(holds(*page, ">refused<"));
  CHECK(server.count("/secret") == 0);
  REQUIRE(page->warnings.size() == 2);
  const std::string both = page->warnings[0] + page->warnings[1];
  CHECK(both.find("http://127.0.0.2:") != std::string::npos);
  CHECK(both.find("169.254.169.254") != std::string::npos);
}
