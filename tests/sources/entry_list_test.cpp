// What many entries of a thread repeat has an end, whether they are kept or only read.
#include <catch2/catch.hpp>
#include <sources/comment_tree.hpp>
#include <sources/entry_list.hpp>
#include <sources/post_thread.hpp>

using namespace freshet;
using namespace freshet::sources;

namespace {

constexpr std::size_t large = max_listing_bytes / 8;

/// How many entries of this kind fit, up to ten.
template <class Entry>
int kept(const Entry& one) {
  entry_list<Entry> list;
  try {
    while (list.size() < 10) list.push_back(one);
  } catch (const base::work_ended& ended) {
    CHECK(ended.code() == errc::unsupported_content);
  }
  return static_cast<int>(list.size());
}

}  // namespace

TEST_CASE("entry_list: entries have the end that items of a listing have") {
  thread_entry small{{}, "1", "", false};
  CHECK(kept(small) == 10);
  auto one = small;
  one.parent_key.assign(large, 'x');
  CHECK(kept(one) == 7);
  one = small;
  one.what.text.assign(large, 'x');
  CHECK(kept(one) == 7);
  reply_entry reply{{}, "1", ""};
  CHECK(kept(reply) == 10);
  reply.what.media.push_back({"image", "", "", std::string(large, 'x'), {}, {}, {}});
  CHECK(kept(reply) == 7);

  entry_list<reply_entry> list;
  for (int i = 0; i < 7; ++i) list.weigh(reply.what);
  CHECK_THROWS_AS(list.weigh(reply.what), base::work_ended);
  CHECK(list.empty());
}
