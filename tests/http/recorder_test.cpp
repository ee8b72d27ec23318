// A recording, and the disk under it.
#include <sys/resource.h>
#include <unistd.h>

#include <base/whole_file.hpp>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <http/recorder.hpp>
#include <string>

using namespace freshet::http;

namespace {

/// No file may grow beyond so much, as on a disk that is full.
class full_disk {
 public:
  explicit full_disk(rlim_t size) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{size, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  full_disk(const full_disk&) = delete;
  full_disk& operator=(const full_disk&) = delete;
  ~full_disk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

}  // namespace

TEST_CASE("a disk that is full leaves a recording as it was, and it goes on when there is room") {
  const auto path = std::filesystem::temp_directory_path() /
                    ("freshet-full-" + std::to_string(getpid()) + ".har");
  const auto text = [&] { return freshet::base::read_whole(path.string()); };
  {
    auto file = har_file::open(path.string());
    REQUIRE(file);
    REQUIRE((*file)->append(R"({"first": 1})"));
    const auto before = text();
    {
      const full_disk full(before.size() + 100);
      CHECK_FALSE((*file)->append("{\"long\": \"" + std::string(200'000, 'x') + "\"}"));
      CHECK(text() == before);
    }
  }
  auto again = har_file::open(path.string());
  REQUIRE(again);
  CHECK((*again)->append(R"({"second": 2})"));
  CHECK(text().find("{\"first\": 1},\n{\"second\": 2}") != std::string::npos);
  std::filesystem::remove(path);
}
