// The inputs that a run of fuzz_source begins with: for every source and operation the walk through
// its sandbox, and each of its recordings in ../shared as a first answer. They are made when they
// are wanted, for what others wrote has no place in the tree.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <fuzz/answers.hpp>
#include <sources/conformance/driver.hpp>
#include <sources/exchange.hpp>
#include <sources/recording_rows.hpp>

namespace {

using namespace freshet;

/// The longest input: what is behind it would hardly be reached by a change.
constexpr std::size_t max_seed_bytes = 256u << 10;

class seed_folder {
 public:
  explicit seed_folder(std::filesystem::path at) : at_(std::move(at)) {
    std::filesystem::create_directories(at_);
  }
  void write(std::string_view bytes) {
    if (bytes.size() > max_seed_bytes) return;
    std::ofstream out(at_ / std::to_string(count_++), std::ios::binary);
    out << bytes;
  }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  std::filesystem::path at_;
  std::size_t count_ = 0;
};

std::string head_of(const test::subject& one) {
  std::string out;
  fuzz::append_line(out, "source", one.source->name);
  fuzz::append_line(out, "path", one.endpoint().path);
  const auto& what = one.what;
  fuzz::append_line(out, "q", what.q.raw);
  fuzz::append_line(out, "username", what.username);
  fuzz::append_line(out, "hashtag", what.hashtag);
  fuzz::append_line(out, "community", what.community);
  fuzz::append_line(out, "url", what.url);
  if (!what.native_id.empty())
    fuzz::append_line(out, "id", std::string(one.source->name) + ":" + what.native_id);
  return out;
}

void write_walk(seed_folder& folder, const test::subject& one) {
  auto whole = head_of(one);
  for (const auto& page : one.pages) {
    auto alone = head_of(one);
    fuzz::append_line(alone, "position", page.steps.front().position);
    for (const auto& step : page.steps) {
      fuzz::append_answer(alone, step.answer);
      fuzz::append_answer(whole, step.answer);
    }
    folder.write(alone);
  }
  if (one.pages.size() > 1) folder.write(whole);
}

void write_recordings(seed_folder& target, const test::subject& one) {
  std::vector<std::string> folders = {std::string(one.source->name)};
  for (const auto& [folder, of] : test::recording_folders()) {
    if (of == one.source->name) folders.emplace_back(folder);
  }
  for (const auto& folder : folders) {
    for (const auto& path : test::recordings(folder)) {
      auto input = head_of(one);
      fuzz::append_answer(input, test::recorded(path));
      target.write(input);
    }
  }
}

}  // namespace

TEST_CASE("conformance: an answer in the form of the fuzz target is read as it was") {
  http::response answer;
  answer.status = 429;
  answer.final_url = "https://example.org/a%20b";
  answer.headers = {{"Retry-After", "3"}, {"Link", "<x>; rel=\"next\", 100%\n"}};
  answer.body = "{\n\n: 1}\n";
  std::string text = "source: hackernews\n";
  fuzz::append_answer(text, answer);
  fuzz::append_answer(text, {});
  const auto parts = fuzz::parts_of(text);
  REQUIRE(parts.size() == 3);
  const auto read = fuzz::read_answer(parts[1]);
  CHECK(read.status == answer.status);
  CHECK(read.final_url == answer.final_url);
  CHECK(read.body == answer.body);
  REQUIRE(read.headers.size() == 2);
  CHECK(read.headers[1].value == answer.headers[1].value);
}

// FRESHET_SEEDS=folder build/dev/tests/test_conformance "[.seeds]"
TEST_CASE("conformance: the seeds of the fuzz target of sources", "[.seeds]") {
  const char* folder = std::getenv("FRESHET_SEEDS");
  REQUIRE(folder != nullptr);
  seed_folder into(folder);
  for (const auto& one : test::subjects()) {
    write_walk(into, one);
    if (std::filesystem::exists(test::shared_dir() / "recordings")) write_recordings(into, one);
  }
  CHECK(into.count() > test::subjects().size());
}
