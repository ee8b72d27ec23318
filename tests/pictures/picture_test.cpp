// What counts as a picture, the sandbox's landscapes, and what is kept of whom.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <pictures/picture.hpp>
#include <pictures/picture_store.hpp>
#include <set>
#include <support/print_result.hpp>
#include <support/temporary_folder.hpp>

using namespace freshet;
using namespace freshet::pictures;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

const time_point noon{std::chrono::sys_days{std::chrono::year{2026} / 11 / 1} + 12h};

}  // namespace

TEST_CASE("a picture is what its bytes say") {
  CHECK(media_type_of("\x89PNG\r\n\x1a\n...") == "image/png");
  CHECK(media_type_of("\xff\xd8\xff\xe0 and more") == "image/jpeg");
  CHECK(media_type_of("GIF89a\x01") == "image/gif");
  CHECK(media_type_of("RIFF\x10\0\0\0WEBPVP8 "s) == "image/webp");
  CHECK(media_type_of("\0\0\0\x20"
                      "ftypavif\0\0"s) == "image/avif");
  for (const auto& other :
       {""s, "\x89PN"s, "<svg xmlns='http://www.w3.org/2000/svg'/>"s,
        "<?xml version='1.0'?><svg/>"s, "<!doctype html><script>1</script>"s, "RIFF\x10\0\0\0WAVE"s,
        "\0\0\0\x20"
        "ftypmp42\0\0"s,
        "%PDF-1.7"s, "BM\x10\0\0\0\0\0\0\0\0\0\0\0"s}) {
    CHECK(media_type_of(other).empty());
  }
}

TEST_CASE("the sandbox's pictures are small PNGs, the same for one name and others for others") {
  std::set<std::string> seen;
  for (int i = 0; i < 40; ++i) {
    const auto name = "https://tube.example/" + std::to_string(i);
    const auto drawn = draw_picture(name);
    CHECK(media_type_of(drawn) == "image/png");
    CHECK(drawn.size() < 8000);
    CHECK(drawn.find("IEND") == drawn.size() - 8);
    CHECK(drawn == draw_picture(name));
    seen.insert(drawn);
  }
  CHECK(seen.size() == 40);
}

TEST_CASE("pictures are kept for their account, for a time, and over a restart") {
  const test::temporary_folder in;
  {
    const auto store = picture_store::open({in.file("pictures"), 1 << 20, 24h}).value();
    store->put("acc_a", "https://a.example/1", "one", noon);
    store->put("acc_a", "https://a.example/1", "one again", noon + 1h);
    CHECK(store->find("acc_a", "https://a.example/1", noon + 2h) == "one again");
    CHECK_FALSE(store->find("acc_b", "https://a.example/1", noon));
    CHECK_FALSE(store->find("acc_a", "https://a.example/2", noon));
    CHECK_FALSE(store->find("acc_a", "https://a.example/1", noon + 26h));
  }
  const auto store = picture_store::open({in.file("pictures"), 1 << 20, 24h}).value();
  CHECK(store->find("acc_a", "https://a.example/1", noon + 2h) == "one again");
  CHECK(store->bytes() > 0);
  store->forget("acc_a");
  CHECK_FALSE(store->find("acc_a", "https://a.example/1", noon + 2h));
  CHECK(store->bytes() == 0);
}

TEST_CASE("who fetches many pictures crowds out himself, and the bound holds") {
  const test::temporary_folder in;
  const std::int64_t bound = 64 << 10;
  const auto store = picture_store::open({in.file("pictures"), bound, 24h}).value();
  for (int i = 0; i < 4; ++i)
    store->put("acc_small", "s" + std::to_string(i), std::string(1000, 's'), noon);
  for (int i = 0; i < 300; ++i) {
    store->put("acc_large", "l" + std::to_string(i), std::string(1000, 'l'), noon + i * 1s);
    REQUIRE(store->bytes() <= bound);
  }
  for (int i = 0; i < 4; ++i) CHECK(store->find("acc_small", "s" + std::to_string(i), noon));
  CHECK(store->find("acc_large", "l299", noon));
  CHECK_FALSE(store->find("acc_large", "l0", noon));
  store->put("acc_large", "huge", std::string(bound, 'h'), noon);
  CHECK_FALSE(store->find("acc_large", "huge", noon));
}

TEST_CASE("pictures leave the disk to what can be nowhere else, and give it back") {
  const test::temporary_folder in;
  const std::int64_t bound = 8 << 20, whole_disk = std::int64_t{1} << 60;
  const std::string picture(2 << 20, 'p');
  {
    const auto store = picture_store::open({in.file("pictures"), bound, 24h, 0}).value();
    store->put("acc_a", "x", picture, noon);
    CHECK(store->find("acc_a", "x", noon));
  }
  {
    const auto disk = std::filesystem::space(in.file("pictures"));
    const auto nearly_all = static_cast<std::int64_t>(disk.available - disk.available / 8);
    const auto store =
        picture_store::open({in.file("pictures"), bound, 24h, nearly_all * 3 / 2}).value();
    store->put("acc_a", "y", picture, noon);
    CHECK_FALSE(store->find("acc_a", "y", noon));
    CHECK(store->find("acc_a", "x", noon));
  }
  const auto store = picture_store::open({in.file("pictures"), bound, 24h, whole_disk}).value();
  store->put("acc_a", "y", picture, noon);
  CHECK_FALSE(store->find("acc_a", "x", noon));
  CHECK(store->bytes() == 0);
  CHECK(std::filesystem::file_size(in.file("pictures")) < 1u << 20);
}

TEST_CASE("a file that is no store of pictures is made anew") {
  const test::temporary_folder in;
  std::ofstream(in.file("pictures"))
      << "this is no database, and long enough to be looked at as one";
  const auto store = picture_store::open({in.file("pictures"), 1 << 20, 24h});
  REQUIRE(store);
  (*store)->put("acc_a", "x", "picture", noon);
  CHECK((*store)->find("acc_a", "x", noon) == "picture");
  CHECK_FALSE(picture_store::open({in.file("nothing/there"), 1 << 20, 24h}));
}
