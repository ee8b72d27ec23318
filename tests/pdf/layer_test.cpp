// The layer: PDFs of a transport become HTML, everything else passes.
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <mutex>
#include <pdf/find.hpp>
#include <pdf/pdf_layer.hpp>
#include <process/tree.hpp>
#include <support/eventually.hpp>
#include <support/print_result.hpp>
#include <support/skips.hpp>
#include <thread>

#include "made_pdf.hpp"

using namespace freshet;
using namespace std::chrono_literals;

namespace {

/// Programs in the place of poppler's, which read what is neither endless nor busy as these do;
/// what is slow after as many seconds as it says. Not in /tmp, which is hidden from them.
struct poppler_with_patience {
  poppler_with_patience() : folder("/var/tmp/freshet-patience-" + std::to_string(getpid())) {
    std::filesystem::create_directories(folder);
    std::filesystem::permissions(folder, std::filesystem::perms{0755});
    for (const std::string name : {"pdftotext", "pdftohtml"}) {
      const auto program = folder / name;
      std::ofstream(program) << "#!/bin/sh\nread -r head </proc/self/fd/3\n"
                                "case $head in\n*endless*) exec sleep 600 ;;\n"
                                "*busy*) while :; do :; done ;;\n"
                                "*slow*) sleep ${head##* } ;;\nesac\nexec "
                             << *pdf::find_poppler("") << "/" << name << " \"$@\"\n";
      std::filesystem::permissions(program, std::filesystem::perms{0755});
    }
  }
  ~poppler_with_patience() { std::filesystem::remove_all(folder); }

  /// So many programs at once, and so many documents that wait.
  [[nodiscard]] pdf::conversion_options bounds(std::size_t programs, std::size_t waiting) const {
    pdf::conversion_options with;
    with.folder = folder.string();
    with.max_processes = programs;
    with.max_waiting = waiting;
    with.time = 10min;
    return with;
  }

  std::filesystem::path folder;
};

/// How many endless documents are being read.
std::size_t endless_ones() {
  std::size_t count = 0;
  for (const pid_t each : process::descendants(getpid())) {
    std::ifstream in("/proc/" + std::to_string(each) + "/comm");
    std::string name;
    std::getline(in, name);
    count += name == "sleep" ? 1 : 0;
  }
  return count;
}

/// Answers every request with a PDF, or with text where the URL says so.
class shelf final : public http::transport {
 public:
  std::uint64_t submit(http::request&& wanted, deadline, handler done) override {
    http::response out;
    out.status = wanted.url.ends_with("gone") ? 404 : 200;
    out.final_url = wanted.url;
    const bool text = wanted.url.ends_with(".txt");
    out.headers = {{"Content-Type", text ? "text/plain" : "application/octet-stream"}};
    out.body = text ? "plain" : test::make_pdf({{{{72, 500, 11, "F1", "Words."}}, {}}});
    if (const auto at = wanted.url.find("/slow/"); at != std::string::npos)
      out.body.replace(0, out.body.find('\n'), "%PDF-1.4 slow " + wanted.url.substr(at + 6));
    if (wanted.url.ends_with("endless")) out.body = "%PDF-1.4 endless\n";
    if (wanted.url.ends_with("busy")) out.body = "%PDF-1.4 busy\n";
    done(std::move(out));
    return 1;
  }
  void cancel(std::uint64_t) override {}
};

struct asked {
  std::uint64_t ticket = 0;
  std::future<result<http::response>> answer;
  [[nodiscard]] result<http::response> get() { return answer.get(); }
  [[nodiscard]] bool is_answered() const {
    return answer.wait_for(0s) == std::future_status::ready;
  }
};

asked ask(pdf::pdf_layer& layer, std::string url, bool as_html = true, std::int64_t owner = 0,
          std::chrono::milliseconds time = 10min) {
  http::request what;
  what.url = std::move(url);
  what.pdf_as_html = as_html;
  what.owner = owner;
  auto promise = std::make_shared<std::promise<result<http::response>>>();
  const auto ticket =
      layer.submit(std::move(what), std::chrono::steady_clock::now() + time,
                   [promise](result<http::response> got) { promise->set_value(std::move(got)); });
  return {ticket, promise->get_future()};
}

/// A first turn in which a small document is read on this machine, beside others, with room to
/// spare.
std::chrono::milliseconds ample_turn(const pdf::conversion_options& with) {
  const auto begun = std::chrono::steady_clock::now();
  pdf::pdf_layer alone(std::make_unique<shelf>(), with);
  if (!ask(alone, "https://a.example/x", true, 3, 5min).get()) return 1min;
  return std::max<std::chrono::milliseconds>(
      100ms, 6 * std::chrono::duration_cast<std::chrono::milliseconds>(
                     std::chrono::steady_clock::now() - begun));
}

#define NEED_POPPLER()                                  \
  if (!pdf::find_poppler("")) {                         \
    test::skip("poppler's programs are not installed"); \
    return;                                             \
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
  std::vector<asked> answers;
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

TEST_CASE("an account whose documents are never read to an end does not keep another's waiting",
          "[pdf]") {
  NEED_POPPLER();
  const poppler_with_patience patient;
  std::vector<asked> endless;
  pdf::pdf_layer layer(std::make_unique<shelf>(), patient.bounds(2, 64));
  for (int i = 0; i < 6; ++i) endless.push_back(ask(layer, "https://a.example/endless", true, 7));
  REQUIRE(test::eventually([] { return endless_ones() > 0; }));
  auto other = ask(layer, "https://a.example/x", true, 8, 60s);
  CHECK(other.get());
  CHECK(endless_ones() == 1);
  for (const auto& each : endless) CHECK_FALSE(each.is_answered());
}

TEST_CASE("two accounts that hold all places let a third have its turn", "[pdf]") {
  NEED_POPPLER()
  const poppler_with_patience programs;
  auto with = programs.bounds(2, 8);
  with.turn = ample_turn(with);
  pdf::pdf_layer layer(std::make_unique<shelf>(), with);
  auto first = ask(layer, "https://a.example/endless", true, 1);
  auto second = ask(layer, "https://a.example/endless", true, 2);
  REQUIRE(test::eventually([] { return endless_ones() == 2; }));
  for (int i = 0; i < 3; ++i) CHECK(ask(layer, "https://a.example/x", true, 3, 5min).get());
  CHECK_FALSE(first.is_answered());
  CHECK_FALSE(second.is_answered());
  // They are read again: nothing of theirs was given up.
  CHECK(test::eventually([] { return endless_ones() == 2; }));
  // Who leaves while it waits for another turn, or has one, is gone.
  layer.cancel(first.ticket);
  CHECK(first.get().error().code() == errc::cancelled);
  layer.cancel(second.ticket);
  CHECK(second.get().error().code() == errc::cancelled);
}

TEST_CASE("of documents that begin again one at a time has more than a first turn",
          "[alone][pdf]") {
  NEED_POPPLER()
  const poppler_with_patience programs;
  auto with = programs.bounds(2, 32);
  with.turn = ample_turn(with);
  pdf::pdf_layer layer(std::make_unique<shelf>(), with);
  std::vector<asked> endless;
  for (int i = 0; i < 4; ++i)
    endless.push_back(ask(layer, "https://a.example/endless", true, 1 + i % 2));
  REQUIRE(test::eventually([] { return endless_ones() == 2; }));
  // So often that turns that all grew would last for minutes.
  for (int i = 0; i < 26; ++i) {
    auto small = ask(layer, "https://a.example/x", true, 3, 5min);
    REQUIRE(small.answer.wait_for(test::patience) == std::future_status::ready);
    REQUIRE(small.get());
  }
  for (const auto& each : endless) CHECK_FALSE(each.is_answered());
  for (auto& each : endless) layer.cancel(each.ticket);
  for (auto& each : endless) CHECK(each.get().error().code() == errc::cancelled);
}

TEST_CASE("a document of more than a first turn has the next long one", "[alone][pdf]") {
  NEED_POPPLER()
  const poppler_with_patience programs;
  auto with = programs.bounds(2, 32);
  with.turn = ample_turn(with);
  pdf::pdf_layer layer(std::make_unique<shelf>(), with);
  std::vector<asked> endless;
  for (int i = 0; i < 4; ++i)
    endless.push_back(ask(layer, "https://a.example/endless", true, 1 + i % 2));
  REQUIRE(test::eventually([] { return endless_ones() == 2; }));
  // A turn and a half, by two programs.
  const auto seconds = std::to_string(std::chrono::duration<double>(with.turn).count() * 3 / 4);
  for (int i = 0; i < 2; ++i) {
    auto slow = ask(layer, "https://a.example/slow/" + seconds, true, 3, 10min);
    CHECK(slow.get());
  }
  for (const auto& each : endless) CHECK_FALSE(each.is_answered());
  for (auto& each : endless) layer.cancel(each.ticket);
  for (auto& each : endless) CHECK(each.get().error().code() == errc::cancelled);
}

TEST_CASE("a document that nobody wants any more is not read to its end", "[pdf]") {
  NEED_POPPLER();
  const poppler_with_patience patient;
  pdf::pdf_layer layer(std::make_unique<shelf>(), patient.bounds(1, 64));
  auto read = ask(layer, "https://a.example/endless", true, 7);
  REQUIRE(test::eventually([] { return endless_ones() == 1; }));
  auto waits = ask(layer, "https://a.example/endless", true, 7);
  auto last = ask(layer, "https://a.example/x", true, 7);
  layer.cancel(waits.ticket);
  CHECK(waits.get().error().code() == errc::cancelled);
  CHECK_FALSE(read.is_answered());
  layer.cancel(read.ticket);
  CHECK(read.get().error().code() == errc::cancelled);
  CHECK(last.get());
  CHECK(endless_ones() == 0);
}

TEST_CASE("whose time is up while he waits for his turn is told so then", "[pdf]") {
  NEED_POPPLER();
  const poppler_with_patience patient;
  pdf::pdf_layer layer(std::make_unique<shelf>(), patient.bounds(1, 64));
  const auto read = ask(layer, "https://a.example/endless", true, 7);
  REQUIRE(test::eventually([] { return endless_ones() == 1; }));
  auto late = ask(layer, "https://a.example/x", true, 8, 100ms);
  CHECK(late.get().error().code() == errc::source_timeout);
  CHECK_FALSE(read.is_answered());
}

TEST_CASE("who fills the queue of documents makes room for others", "[pdf]") {
  NEED_POPPLER();
  const poppler_with_patience patient;
  pdf::pdf_layer layer(std::make_unique<shelf>(), patient.bounds(1, 3));
  std::vector<asked> filling;
  filling.push_back(ask(layer, "https://a.example/endless", true, 7));
  REQUIRE(test::eventually([] { return endless_ones() == 1; }));
  for (int i = 0; i < 3; ++i) filling.push_back(ask(layer, "https://a.example/endless", true, 7));
  const auto over = ask(layer, "https://a.example/endless", true, 7).get();
  CHECK(over.error().code() == errc::overloaded);
  CHECK(over.error().retry_after);
  auto other = ask(layer, "https://a.example/x", true, 8);
  CHECK(filling.back().get().error().code() == errc::overloaded);
  layer.cancel(filling.front().ticket);
  CHECK(other.get());
}

TEST_CASE("the processor time of a document is told, also of one that gave nothing", "[pdf]") {
  NEED_POPPLER();
  const poppler_with_patience patient;
  auto with = patient.bounds(1, 64);
  with.time = 1s;
  std::mutex mutex;
  std::map<base::owner_id, std::chrono::nanoseconds> told;
  with.used_processor = [&](base::owner_id whose, std::chrono::nanoseconds time) {
    const std::lock_guard lock(mutex);
    told[whose] += time;
  };
  pdf::pdf_layer layer(std::make_unique<shelf>(), with);
  CHECK(ask(layer, "https://a.example/busy", true, 7).get().error().code() ==
        errc::unsupported_content);
  // On a busy machine a second may be too short for any document.
  CHECK(test::eventually([&] { return bool(ask(layer, "https://a.example/x", true, 8).get()); }));
  const std::lock_guard lock(mutex);
  CHECK(told[7] > 100ms);  // its time may pass by the clock
  CHECK(told[8] > 1ms);
  CHECK(told.size() == 2);
}
