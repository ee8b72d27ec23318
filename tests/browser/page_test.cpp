// Pages in a real Chromium, through the real stack, from a server on loopback.
#include "page_layer.hpp"

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

TEST_CASE("a page that a script leads on to is fetched by the same rules", "[alone][browser]") {
  NEED_BROWSER();
  test::loopback_server server;
  const std::string port = std::to_string(server.port());
  server.reply("/on", 200, scripted("location.href = '/hop'"), as_html);
  server.reply("/hop", 302, "", {{"Location", "/end"}});
  server.reply("/end", 200, "<p>the end, <a href=next>on</a>", as_html);
  server.reply("/private", 200, scripted("location.href = 'http://127.0.0.2:" + port + "/'"),
               as_html);
  server.reply("/loop", 200, scripted("location.href = '/loop?' + Math.random()"), as_html);
  const auto layer = make_layer();
  const auto end = render(*layer, server.url("/on"));
  REQUIRE(end);
  CHECK(end->final_url == server.url("/end"));
  CHECK(holds(*end, "the end"));
  const auto refused = render(*layer, server.url("/private"));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::target_forbidden);
  const auto loop = render(*layer, server.url("/loop"));
  REQUIRE_FALSE(loop);
  CHECK(loop.error().code() == errc::source_error);
  CHECK(server.count("/loop") <= 1 + browser::max_navigations);
}

TEST_CASE("what text does not need is not fetched, nor what is no web address",
          "[alone][browser]") {
  NEED_BROWSER();
  test::loopback_server server;
  server.reply(
      "/", 200,
      "<!doctype html><img src=/a.png><link rel=icon href=/i.ico><video src=/v.mp4>"
      "</video><iframe src='http://localhost:" +
          std::to_string(server.port()) +
          "/frame'></iframe><iframe src='file:///etc/passwd'></iframe>"
          "<link rel=stylesheet href=/s.css><p id=p>-</p><script>"
          "const note = t => document.getElementById('p').textContent += t;"
          "fetch('file:///etc/passwd').then(() => note('read ')).catch(() => note('file '));"
          "fetch('/put', {method: 'PUT', body: 'x'}).catch(() => note('put '));"
          "fetch('/post', {method: 'POST', body: 'asked'}).then(r => r.text()).then(note);"
          "new WebSocket('ws://127.0.0.1:" +
          std::to_string(server.port()) +
          "/ws').onerror = () => note('ws ');"
          "navigator.sendBeacon('/beacon', 'x');</script>",
      as_html);
  server.on("/post", [](const auto& seen, auto& to) {
    to.send(test::loopback_server::answer(200, "<" + seen.body + ">"));
  });
  server.reply("/s.css", 200, "p { color: red }", {{"Content-Type", "text/css"}});
  const auto layer = make_layer();
  const auto page = render(*layer, server.url("/"));
  REQUIRE(page);
  CHECK(holds(*page, "file "));
  CHECK(holds(*page, "put "));
  CHECK(holds(*page, "ws "));
  CHECK(holds(*page, "&lt;asked&gt;"));
  CHECK_FALSE(holds(*page, "root:"));
  for (const char* path : {"/a.png", "/i.ico", "/v.mp4", "/frame", "/put", "/ws", "/beacon"}) {
    CAPTURE(path);
    CHECK(server.count(path) == 0);
  }
  CHECK(server.count("/s.css") == 1);
}

TEST_CASE("what a page asks for ahead of its reader or without end is not fetched",
          "[alone][browser]") {
  NEED_BROWSER();
  test::loopback_server server;
  server.reply(
      "/", 200,
      "<!doctype html><link rel=prefetch href=/prefetch><link rel=prefetch as=script "
      "href=/prefetch.js><link rel=prerender href=/prerender><link rel=manifest "
      "href=/manifest><link rel=preload as=image href=/preload.png><a id=a href=#x "
      "ping=/ping>a</a><script type=speculationrules>{\"prefetch\":[{\"source\":\"list\","
      "\"urls\":[\"/rules\"],\"eagerness\":\"immediate\"}],\"prerender\":[{\"source\":\"list\","
      "\"urls\":[\"/ahead\"],\"eagerness\":\"immediate\"}]}</script><p id=p></p><script>"
      "const note = t => document.getElementById('p').textContent += t;"
      "new EventSource('/events').onerror = () => note('events ');"
      "fetch('/stream', {headers: {Accept: 'text/event-stream'}}).catch(() => note('stream '));"
      "fetch('/kept', {method: 'POST', keepalive: true, body: 'x'}).catch(() => note('kept '));"
      "fetch('/data').then(r => r.text()).then(note);"
      "document.getElementById('a').click();"
      "const late = document.createElement('link'); late.rel = 'prefetch';"
      "late.href = '/late'; document.head.append(late);</script>",
      as_html);
  server.reply("/data", 200, "data");
  const auto layer = make_layer();
  const auto page = render(*layer, server.url("/"));
  REQUIRE(page);
  CHECK(holds(*page, "events "));
  CHECK(holds(*page, "stream "));
  CHECK(holds(*page, "data"));
  for (const char* path : {"/prefetch", "/prefetch.js", "/prerender", "/manifest", "/preload.png",
                           "/ping", "/rules", "/ahead", "/events", "/stream", "/late"}) {
    CAPTURE(path);
    CHECK(server.count(path) == 0);
  }
}

TEST_CASE("a page leaves nothing behind for the next", "[alone][browser]") {
  NEED_BROWSER();
  test::loopback_server server;
  auto headers = as_html;
  headers.emplace_back("Set-Cookie", "served=1");
  server.reply("/", 200,
               scripted("document.getElementById('root').textContent = '[' + document.cookie + "
                        "'|' + localStorage.getItem('k') + ']'; document.cookie = 'made=1';"
                        "localStorage.setItem('k', 'v'); fetch('/data')"),
               headers);
  server.reply("/data", 200, "x");
  browser::options one;
  one.max_browsers = 1;
  const auto layer = make_layer(one);
  for (int i = 0; i < 2; ++i) {
    const auto page = render(*layer, server.url("/"));
    REQUIRE(page);
    CHECK(holds(*page, "[served=1|null]"));
  }
  CHECK(server.last("/data").header("cookie").find("made=1") != std::string::npos);
}

TEST_CASE("open shadow trees are a part of the text", "[alone][browser]") {
  NEED_BROWSER();
  test::loopback_server server;
  server.reply("/", 200,
               "<!doctype html><my-card><b>light</b> words</my-card><script>"
               "customElements.define('my-card', class extends HTMLElement { constructor() {"
               "super(); this.attachShadow({mode: 'open'}).innerHTML ="
               "'<h2>shadow</h2><p><slot></slot></p><i><slot name=x>spare</slot></i>'; } });"
               "</script>",
               as_html);
  const auto layer = make_layer();
  const auto page = render(*layer, server.url("/"));
  REQUIRE(page);
  CHECK(holds(*page, "<my-card><h2>shadow</h2><p><b>light</b> words</p><i>spare</i></my-card>"));
}

TEST_CASE("frames of the page's own origin are a part of the text", "[alone][browser]") {
  NEED_BROWSER();
  test::loopback_server server;
  server.reply("/", 200,
               "<!doctype html><p>before</p><iframe src=/inner/frame></iframe>"
               "<iframe srcdoc='<p>written in place</p>'></iframe>"
               "<iframe src=/hidden style='display:none'></iframe>"
               "<iframe sandbox srcdoc='<p>shut away</p>'></iframe><p>after</p>",
               as_html);
  server.reply("/inner/frame", 200, "<p>in <a href=there>a frame</a></p>", as_html);
  server.reply("/hidden", 200, "<p>for nobody</p>", as_html);
  server.reply("/set", 200, "<frameset cols='50%,*'><frame src=/inner/frame></frameset>", as_html);
  const auto layer = make_layer();
  const auto page = render(*layer, server.url("/"));
  REQUIRE(page);
  CHECK(holds(*page, "<p>before</p><div><p>in <a href=\"" + server.url("/inner/there") +
                         "\">a frame</a></p></div>"));
  CHECK(holds(*page, "<p>written in place</p></div>"));
  CHECK_FALSE(holds(*page, "for nobody</p></div>"));
  CHECK_FALSE(holds(*page, "shut away</p></div>"));
  const auto set = render(*layer, server.url("/set"));
  REQUIRE(set);
  CHECK(holds(*set, "<body><div><p>in <a"));
}

TEST_CASE("a page that is no page is answered as it is, without a browser", "[browser]") {
  test::loopback_server server;
  server.reply("/text", 200, "plain", {{"Content-Type", "text/plain"}});
  server.reply("/gone", 404, "<p>gone", as_html);
  server.reply("/page", 200, "<p>page", as_html);
  http::stack_options below;
  below.allow_private = {"127.0.0.1/32"};
  browser::render_layer layer(*http::make_stack(below), {});
  CHECK(render(layer, server.url("/text"))->body == "plain");
  CHECK(render(layer, server.url("/gone"))->status == 404);
  const auto refused = render(layer, server.url("/page"));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::invalid_configuration);
  CHECK(refused.error().detail().find("apt-get install chromium") != std::string::npos);
  http::request what;
  what.url = server.url("/page");
  what.render = http::rendering::if_possible;
  std::promise<result<http::response>> promise;
  layer.submit(http::request(what), std::chrono::steady_clock::now() + 10s,
               [&](result<http::response> got) { promise.set_value(std::move(got)); });
  const auto plain = promise.get_future().get();
  REQUIRE(plain);
  CHECK_FALSE(plain->rendered);
  CHECK(plain->body == "<p>page");
  CHECK(plain->warnings.size() == 1);
}

TEST_CASE("a configured browser must be a program", "[browser]") {
  const auto none = browser::find_browser("/nowhere/chromium");
  REQUIRE_FALSE(none);
  CHECK(none.error().code() == errc::invalid_configuration);
  CHECK(none.error().detail().find("render.chromium") != std::string::npos);
  CHECK_FALSE(browser::find_browser("chromium"));
}
