// The layer: PDFs of a transport become HTML, everything else passes.
#include <atomic>
#include <catch2/catch.hpp>
#include <future>
#include <pdf/find.hpp>
#include <pdf/pdf_layer.hpp>
#include <support/print_result.hpp>
#include <support/skips.hpp>
#include <thread>

#include "made_pdf.hpp"

using namespace freshet;
using namespace std::chrono_literals;

namespace {

/// Answers every request with a PDF, or with text where the URL says so.
class shelf final : public http::transport {
 public:
  std::uint64_t submit(http::request what, deadline, handler done) override {
    http::response out;
    out.status = what.url.ends_with("gone") ? 404 : 200;
    out.final_url = what.url;
    const bool text = what.url.ends_with(".txt");
    out.headers = {{"Content-Type", text ? "text/plain" : "application/octet-stream"}};
    out.body = text ? "plain" : test::make_pdf({{{{72, 500, 11, "F1", "Words."}}, {}}});
    done(std::move(out));
    return 1;
  }
  void cancel(std::uint64_t) override {}
};

std::future<result<http::response>> ask(pdf::pdf_layer& layer, std::string url, bool as_html) {
  http::request what;
  what.url = std::move(url);
  what.pdf_as_html = as_html;
  auto promise = std::make_shared<std::promise<result<http::response>>>();
  layer.submit(std::move(what), std::chrono::steady_clock::now() + 30s,
               [promise](result<http::response> got) { promise->set_value(std::move(got)); });
  return promise->get_future();
}

}  // namespace

TEST_CASE("PDFs become HTML where that is wanted", "[pdf]") {
  pdf::conversion_options with;
  const auto folder = pdf::find_poppler("");
  if (!folder) {
    test::skip("poppler's programs are not installed");
    return;
  }
  with.folder = *folder;
  pdf::pdf_layer layer(std::make_unique<shelf>(), with);
  const auto made = ask(layer, "https://a.example/x", true).get();
  REQUIRE(made);
  CHECK(made->converted_from == "application/pdf");
  CHECK(http::find_header(made->headers, "content-type") == "text/html; charset=utf-8");
  CHECK(made->body.find("<p>Words.</p>") != std::string::npos);
  CHECK(ask(layer, "https://a.example/x", false).get()->body.starts_with("%PDF-"));
  CHECK(ask(layer, "https://a.example/x.txt", true).get()->body == "plain");
  CHECK(ask(layer, "https://a.example/gone", true).get()->status == 404);

  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 3; ++k) good += ask(layer, "https://a.example/x", true).get() ? 1 : 0;
    });
  }
  for (auto& each : threads) each.join();
  CHECK(good == 12);
}

TEST_CASE("a layer that ends answers everything, and a full queue refuses", "[pdf]") {
  pdf::conversion_options with;
  const auto folder = pdf::find_poppler("");
  if (!folder) {
    test::skip("poppler's programs are not installed");
    return;
  }
  with.folder = *folder;
  with.max_processes = 1;
  with.max_waiting = 3;
  std::vector<std::future<result<http::response>>> answers;
  {
    pdf::pdf_layer layer(std::make_unique<shelf>(), with);
    for (int i = 0; i < 12; ++i) answers.push_back(ask(layer, "https://a.example/x", true));
  }
  int refused = 0;
  for (auto& each : answers) {
    const auto got = each.get();
    if (!got && got.error().code() == errc::overloaded) ++refused;
    if (!got)
      CHECK((got.error().code() == errc::overloaded || got.error().code() == errc::cancelled));
  }
  CHECK(refused >= 8);
}
