// The pair of certificate and key: what is taken, what is refused and how that is said, and how it
// is replaced.
#include <openssl/ssl.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <server/wire/tls_watch.hpp>
#include <support/certificate.hpp>
#include <support/eventually.hpp>

using namespace freshet;
using namespace freshet::server;
using namespace std::chrono_literals;
using test::certificate;
namespace asio = boost::asio;

namespace {

tls_files files_of(const certificate& pair) { return {pair.file, pair.key}; }

/// Why a pair is refused.
std::string refusal(const tls_files& files) {
  const auto made = tls_identity::of(files);
  if (made) return "taken";
  CHECK(made.error().code() == errc::invalid_configuration);
  return made.error().detail();
}
bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a pair is described by its names and its end") {
  const certificate pair;
  const auto made = tls_identity::of(files_of(pair));
  REQUIRE(made.has_value());
  CHECK(has((*made)->description(), "IP Address:127.0.0.1, until 20"));
  const auto left = (*made)->end() - std::chrono::system_clock::now();
  CHECK(left > 59min);
  CHECK(left <= 60min);
}

TEST_CASE("a pair that cannot be used is refused by its setting, with the fix") {
  const certificate pair, other, rsa({-3600, 3600, 2048, ""});
  std::string why = refusal({pair.folder() + "/none.pem", pair.key});
  CHECK(has(why, "server.tls.certificate: "));
  CHECK(has(why, "No such file"));
  why = refusal({pair.file, pair.folder() + "/none.pem"});
  CHECK(has(why, "server.tls.key: "));
  CHECK(has(why, "No such file"));
  CHECK(has(refusal({pair.folder(), pair.key}), "is no file"));
  CHECK(has(refusal({pair.key, pair.key}), "server.tls.certificate: "));  // no certificate in it
  CHECK(has(refusal({pair.file, pair.file}), "no private key in PEM"));
  for (const certificate* wrong : {&other, &rsa}) {
    why = refusal({pair.file, wrong->key});
    CHECK(has(why, "server.tls.key: "));
    CHECK(has(why, "is not the key of"));
  }
  CHECK(has(refusal(files_of(certificate({-3600, 3600, 0, "secret"}))), "wants a passphrase"));
  CHECK(has(refusal(files_of(certificate({-3600, 3600, 1024, ""}))), "strong enough"));
  CHECK(refusal(files_of(rsa)) == "taken");
  std::ofstream(pair.file) << "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n";
  CHECK(has(refusal(files_of(pair)), "server.tls.certificate: "));
}

TEST_CASE("a pair is warned of when it has ended, ends soon, begins later, or its key is open") {
  const auto now = std::chrono::system_clock::now();
  const auto warnings = [&](const certificate& of) {
    return (*tls_identity::of(files_of(of)))->warnings(now);
  };
  constexpr long day = 24 * 3600;
  CHECK(warnings(certificate({-day, 15 * day, 0, ""})).empty());
  const auto soon = warnings(certificate({-day, 13 * day, 0, ""}));
  REQUIRE(soon.size() == 1);
  CHECK(has(soon[0].text, "ends soon"));
  CHECK(!soon[0].is_grave);
  const auto ended = warnings(certificate({-2 * day, -day, 0, ""}));
  REQUIRE(ended.size() == 1);
  CHECK(has(ended[0].text, "has ended"));
  CHECK(ended[0].is_grave);
  const auto early = warnings(certificate({day, 20 * day, 0, ""}));
  REQUIRE(early.size() == 1);
  CHECK(has(early[0].text, "is not valid before"));
  CHECK(early[0].is_grave);
  const certificate open({-day, 15 * day, 0, ""});
  std::filesystem::permissions(open.key, std::filesystem::perms::others_read,
                               std::filesystem::perm_options::add);
  const auto read = warnings(open);
  REQUIRE(read.size() == 1);
  CHECK(has(read[0].text, "can be read by every user"));
}

TEST_CASE("the settings of TLS come together or not at all") {
  config settings;
  CHECK(tls_files_of(settings).value() == std::nullopt);
  REQUIRE(settings.set("server.tls.certificate", "c.pem").has_value());
  CHECK(has(tls_files_of(settings).error().detail(), "server.tls.key: is not set"));
  REQUIRE(settings.set("server.tls.key", "k.pem").has_value());
  CHECK(tls_files_of(settings).value()->certificate == "c.pem");
  REQUIRE(settings.set("server.base_url", "http://a.example").has_value());
  CHECK(has(tls_files_of(settings).error().detail(), "server.base_url: "));
  config other;
  REQUIRE(other.set("server.tls.key", "k.pem").has_value());
  CHECK(has(tls_files_of(other).error().detail(), "server.tls.certificate: is not set"));
}

TEST_CASE("a watched pair is replaced when both files were, and a bad one is not") {
  const certificate pair;
  logger log(-1);
  asio::io_context io(1);
  auto watch = tls_watch::open(io, files_of(pair), log, 50ms);
  REQUIRE(watch.has_value());
  (*watch)->start();
  const auto first = (*watch)->current();
  io.run_for(500ms);
  CHECK((*watch)->current() == first);  // nothing has changed
  pair.write_anew({-3600, 7200, 0, ""});
  CHECK(test::eventually([&] {
    io.restart();
    io.run_for(50ms);
    return (*watch)->current() != first;
  }));
  const auto second = (*watch)->current();
  CHECK(second != first);
  CHECK(second->end() > first->end());
  std::ofstream(pair.key) << "no key\n";
  io.restart();
  io.run_for(500ms);
  CHECK((*watch)->current() == second);
  (*watch)->reload();
  CHECK((*watch)->current() == second);
  pair.write_anew();
  (*watch)->reload();  // at once
  CHECK((*watch)->current() != second);
  (*watch)->stop();
  io.restart();
  io.run();  // comes to its end
}
