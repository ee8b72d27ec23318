#include <catalog/endpoint.hpp>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

using namespace freshet::catalog;

namespace {

std::vector<std::string> keys(std::span<const field> of) {
  std::vector<std::string> out;
  for (const auto& one : of) out.emplace_back(one.name);
  return out;
}

const object_schema& schema(std::string_view name) {
  const auto* found = find_object_schema(name);
  REQUIRE(found != nullptr);
  return *found;
}

std::vector<std::string> metrics(std::string_view of) {
  for (const auto& one : schema(of).common) {
    if (one.name == "metrics") return keys(one.fields);
  }
  return {"no metrics"};
}

using names = std::vector<std::string>;

}  // namespace

TEST_CASE("the items have the common keys in the contract's order") {
  const names common = {"object", "id",         "source",    "url",        "title",  "text",
                        "lang",   "created_at", "edited_at", "fetched_at", "author", "metrics",
                        "media",  "tags",       "links",     "highlights", "safety"};
  for (const auto name :
       {"post", "user", "video", "forum_post", "comment", "web_result", "article", "document",
        "site_address", "extraction", "web_image", "suggestion", "transcript", "trend"}) {
    INFO(name);
    CHECK(keys(schema(name).common) == common);
  }
}

TEST_CASE("the items have their own keys and metrics in the contract's order") {
  CHECK(keys(schema("post").own) ==
        names{"parent_id", "conversation_id", "quoted_id", "reposted_by", "sensitive"});
  CHECK(metrics("post") == names{"likes", "reposts", "replies", "quotes", "views"});
  CHECK(keys(schema("user").own) ==
        names{"handle", "display_name", "avatar_url", "banner_url", "verified"});
  CHECK(metrics("user") == names{"followers", "following", "posts"});
  CHECK(metrics("trend") == names{"posts", "people"});
  CHECK(keys(schema("video").own) == names{"duration_s", "thumbnail_url", "music"});
  CHECK(metrics("video") == names{"views", "likes", "comments", "shares"});
  CHECK(keys(schema("forum_post").own) == names{"community", "link_url", "sensitive"});
  CHECK(metrics("forum_post") == names{"score", "upvote_ratio", "comments", "views"});
  CHECK(keys(schema("comment").own) == names{"post_id", "parent_id", "depth"});
  CHECK(metrics("comment") == names{"score"});
  CHECK(keys(schema("web_result").own) == names{"rank", "display_url", "site_name", "engines"});
  CHECK(metrics("web_result").empty());
  CHECK(keys(schema("site_address").own) ==
        names{"found_in", "found_at", "last_modified", "change_frequency", "priority"});
  CHECK(keys(schema("extraction").own) ==
        names{"value", "provenance", "missing", "final_url", "status_code", "content_type"});
  CHECK(keys(schema("article").own) == names{"authors", "site"});
  CHECK(keys(schema("document").own) ==
        names{"authors", "markdown", "final_url", "site_name", "description", "image_url",
              "word_count", "token_estimate", "status_code", "content_type", "confidence"});
}

TEST_CASE("every object has a name of its own, and every field a description") {
  std::set<std::string_view> seen;
  for (const auto* one : object_schemas()) {
    CHECK(seen.insert(one->name).second);
    CHECK_FALSE(one->doc.empty());
    for (const auto part : {one->common, one->own}) {
      for (const auto& field : part) {
        INFO(one->name << "." << field.name);
        CHECK_FALSE(field.doc.empty());
      }
    }
    CHECK(one->common[0].name == "object");
    CHECK(one->common[1].name == "id");
  }
  CHECK(seen.size() == 22);
  CHECK(find_object_schema("nothing") == nullptr);
}
