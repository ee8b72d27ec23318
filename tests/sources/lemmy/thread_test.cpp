// Threads of Lemmy that an instance cuts: walked to their end by what hangs below single comments.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <sources/lemmy/wire.hpp>
#include <sources/source_rig.hpp>
#include <support/sanitized.hpp>
#include <utility>

namespace freshet::sources::lemmy {

using namespace test::forum_calls;

namespace {

const test::source_rig thread_rig("lemmy", {"https://lemmy.world", {}});

}  // namespace

TEST_CASE("A thread of Lemmy that is cut says that there may be more") {
  const auto thread_of = [](int comments) {
    std::string body = "{\"comments\":[";
    for (int i = 1; i <= comments; ++i) {
      const auto number = std::to_string(i);
      body += std::string(i == 1 ? "" : ",") + "{\"comment\":{\"id\":" + number + ",\"path\":\"0." +
              number + "\",\"content\":\"c\"},\"creator\":{\"id\":1}}";
    }
    return test::listing_of(
        thread_rig.read(comments_of("lemmy.world/42"), test::answer_of(200, body + "]}")));
  };
  CHECK_FALSE(thread_of(299).partial);
  const auto cut = thread_of(300);
  CHECK(cut.partial);
  REQUIRE(cut.warnings.size() == 1);
  CHECK(cut.warnings[0].find("300 comments") != std::string::npos);
}

namespace {

/// An instance with one thread, which it gives as Lemmy does: by the path of the parent, then by
/// number, no more than 300 comments at once, all or those at and below one.
class cutting_instance {
 public:
  void add(const std::vector<int>& path) {
    for (const int above : path) ++below_[above];
    --below_[path.back()];
    paths_.push_back(path);
  }

  const http::response& answer(const std::string& url) const {
    const auto at = url.find("parent_id=");
    const int top = at == std::string::npos ? 0 : std::stoi(url.substr(at + 10));
    auto& made = made_[top];
    if (made.body.empty()) made = answer_below(top);
    return made;
  }

 private:
  http::response answer_below(int top) const {
    std::vector<std::pair<std::vector<int>, int>> found;  // the path of the parent, and the number
    for (const auto& path : paths_) {
      if (top != 0 && std::ranges::find(path, top) == path.end()) continue;
      found.emplace_back(std::vector<int>(path.begin(), path.end() - 1), path.back());
    }
    std::ranges::sort(found);
    if (found.size() > 300) found.resize(300);
    std::string body = "{\"comments\":[";
    for (const auto& [above, number] : found) {
      std::string path = "0";
      for (const int part : above) path += "." + std::to_string(part);
      const auto own = std::to_string(number);
      body += std::string(body.ends_with('[') ? "" : ",") + "{\"comment\":{\"id\":" + own +
              ",\"path\":\"" + path + "." + own +
              "\",\"content\":\"c\"},\"creator\":{\"id\":1},\"counts\":{\"child_count\":" +
              std::to_string(below_.at(number)) + "}}";
    }
    return test::answer_of(200, body + "]}");
  }

  std::map<int, int> below_;
  mutable std::map<int, http::response> made_;
  std::vector<std::vector<int>> paths_;
};

struct walked {
  std::vector<comment> all;
  int requests = 0;
  bool partial = false;
};

walked walk(const cutting_instance& through, call call, std::string position = "") {
  walked out;
  do {
    INFO(position);
    const auto asked = thread_rig.plan(call, position);
    REQUIRE(asked);
    ++out.requests;
    const auto page = test::listing_of(thread_rig.read(call, through.answer(asked->url), position));
    for (const auto& one : page.items) out.all.push_back(std::get<comment>(one));
    out.partial = out.partial || page.partial;
    CHECK(page.partial == !page.warnings.empty());
    CHECK(page.items.size() <= static_cast<std::size_t>(call.limit));
    CHECK(page.next.size() <= max_position_size);
    position = page.next;
    REQUIRE(out.requests < 3000);
  } while (!position.empty());
  return out;
}

/// Each once, and below its parent.
void check_pre_order(const std::vector<comment>& all) {
  std::set<std::string> ids;
  std::vector<std::string> line;
  for (const auto& one : all) {
    CHECK(ids.insert(one.id).second);
    const auto depth = static_cast<std::size_t>(one.depth);
    REQUIRE(depth <= line.size());
    line.resize(depth);
    CHECK(one.parent_id == (depth == 0 ? "" : line.back()));
    line.push_back(one.id);
  }
}

}  // namespace

TEST_CASE("A large thread of Lemmy is walked to its end, branch by branch") {
  cutting_instance instance;
  const int roots = test::cases(120, 120, 60);
  int number = 0, made = 0;
  const auto add = [&](std::vector<int> path) {
    path.push_back(++number);
    instance.add(path);
    ++made;
    return path;
  };
  for (int i = 0; i < roots; ++i) {
    const auto root = add({});
    for (int j = 0; j < 4; ++j) add(add(root));
    // A branch that is cut itself, and a branch of that.
    for (int j = 0; i % 60 == 59 && j < 3; ++j) {
      const auto child = add(root);
      for (int k = 0; k < (j == 1 ? 40 : 5); ++k) {
        const auto low = add(child);
        for (int l = 0; l < 9; ++l) add(low);
      }
    }
  }
  auto what = comments_of("lemmy.world/42");
  what.limit = 100;
  const auto got = walk(instance, what);
  CHECK(got.all.size() == static_cast<std::size_t>(made));
  CHECK(made > 17 * roots);
  CHECK_FALSE(got.partial);
  CHECK(got.requests < 400);
  check_pre_order(got.all);
  what.limit = 20;
  const auto slow = walk(instance, what);
  REQUIRE(slow.all.size() == got.all.size());
  for (std::size_t i = 0; i < got.all.size(); ++i) CHECK(slow.all[i].id == got.all[i].id);
}

TEST_CASE("What is missing of a thread of Lemmy is asked for by its number, within bounds") {
  cutting_instance instance;
  for (int i = 1; i <= 200; ++i) instance.add({i});
  for (int i = 1; i <= 200; ++i) instance.add({i, 1000 + i});
  auto what = comments_of("lemmy.world/42");
  what.limit = 500;
  const auto first =
      test::listing_of(thread_rig.read(what, instance.answer(thread_rig.planned(what))));
  CHECK(first.items.size() == 201);  // a hundred have all that hangs below them
  CHECK(first.next == "1/201:101=");
  CHECK(thread_rig.planned(what, first.next) ==
        "https://lemmy.world/api/v3/comment/"
        "list?parent_id=101&type_=All&sort=Hot&max_depth=50");
  const auto below = test::listing_of(
      thread_rig.read(what, instance.answer(thread_rig.planned(what, first.next)), first.next));
  CHECK(below.items.size() == 1);
  CHECK(below.next == "1=201:lemmy:lemmy.world/101");
  CHECK(thread_rig.planned(what, below.next).find("post_id=42&") != std::string::npos);
  // It has gone meanwhile.
  const auto gone = test::answer_of(404, R"({"error":"couldnt_find_comment"})");
  const auto after = test::listing_of(thread_rig.read(what, gone, first.next));
  CHECK(after.items.empty());
  CHECK(after.next == below.next);
  CHECK(thread_rig.read(what, gone).error().code() == errc::not_found);
  // Of a post of another instance, too, without looking it up again.
  const auto other = comments_of("beehaw.org/7");
  CHECK(thread_rig.planned(other, first.next).find("?parent_id=101&") != std::string::npos);
  const auto there = thread_rig.read(other, instance.answer("parent_id=101"), first.next);
  CHECK(test::listing_of(there).items.size() == 1);
  // The last that may be asked for, and one that lies too deep.
  for (const auto* bound : {"1000=", "5/1:1/1:1/1:1/1:1/1:1="}) {
    INFO(bound);
    const auto page = test::listing_of(thread_rig.read(what, instance.answer("all"), bound));
    CHECK(page.partial);
    CHECK(page.items.size() >= 299);
  }
  CHECK(walk(instance, what).all.size() == 400);
  CHECK(walk(instance, what, "999=").partial);
  for (const auto* bad : {"=", "0=", "1001=", "x=", "1/=", "1/5=", "1/5:=", "1/5:x=", "1/-1:5=",
                          "1/5:5/=", "6/1:1/1:1/1:1/1:1/1:1/1:1="}) {
    INFO(bad);
    CHECK(thread_rig.planned(what, bad) == "invalid_cursor");
  }
  thread_rig.read_broken(what, instance.answer("all"), {12, 5, "2/7:7="});
}

}  // namespace freshet::sources::lemmy
