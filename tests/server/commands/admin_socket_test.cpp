// The administration socket, both ends.
#include <sys/stat.h>
#include <support/temporary_folder.hpp>

#include <catch2/catch.hpp>
#include <filesystem>
#include <server/commands/admin_socket.hpp>
#include <string>

using namespace freshet;
using namespace freshet::server;

namespace {

/// A folder with a path longer than a Unix socket's address can hold.
struct long_folder {
  test::temporary_folder root;
  std::filesystem::path path = root.file(std::string(120, 'd'));
  long_folder() { std::filesystem::create_directory(path); }
};

}  // namespace

TEST_CASE("orders are carried out by whoever has opened the folder") {
  const long_folder folder;
  const std::string data = folder.path.string();
  const auto nobody = ask_running_server(data, "x", "{}");
  REQUIRE(nobody.has_value());
  CHECK(!*nobody);
  {
    auto server =
        admin_server::open(data, [](std::string_view command, std::string_view arguments) {
          if (command == "fail") return admin_answer{false, R"({"code":"not_found"})"};
          return admin_answer{true, R"({"echo":)" + std::string(arguments) + "}"};
        });
    REQUIRE(server.has_value());
    struct stat about {};
    REQUIRE(::stat((data + "/admin.sock").c_str(), &about) == 0);
    CHECK((about.st_mode & 0777) == 0600);
    for (int i = 0; i < 3; ++i) {
      const auto echoed = ask_running_server(data, "say", R"({"a":"b\n"})");
      REQUIRE(echoed.has_value());
      REQUIRE(*echoed);
      CHECK((*echoed)->ok);
      CHECK((*echoed)->body == R"({"echo":{"a":"b\n"}})");
    }
    const auto failed = ask_running_server(data, "fail", "{}");
    REQUIRE(failed.has_value());
    REQUIRE(*failed);
    CHECK(!(*failed)->ok);
    CHECK((*failed)->body == R"({"code":"not_found"})");
  }
  CHECK(!std::filesystem::exists(folder.path / "admin.sock"));
}

TEST_CASE("a socket that a dead server has left is replaced") {
  const long_folder folder;
  const std::string data = folder.path.string();
  const auto handler = [](std::string_view, std::string_view) { return admin_answer{true, "{}"}; };
  {
    auto first = admin_server::open(data, handler);
    REQUIRE(first.has_value());
    // A second name keeps the socket's file after its server has gone.
    std::filesystem::create_hard_link(folder.path / "admin.sock", folder.path / "kept");
  }
  std::filesystem::rename(folder.path / "kept", folder.path / "admin.sock");
  const auto nobody = ask_running_server(data, "x", "{}");
  REQUIRE(nobody.has_value());
  CHECK(!*nobody);
  auto second = admin_server::open(data, handler);
  REQUIRE(second.has_value());
  CHECK(ask_running_server(data, "x", "{}")->has_value());
}
