// What Mastodon answers: every recorded status field by field, refusals, broken copies.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <html/document.hpp>
#include <sources/item_text.hpp>
#include <sources/mastodon/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::mastodon {

using base::member;
using catalog::operation;
namespace masto = freshet::sources::mastodon;
namespace json = boost::json;

namespace {

const test::source_rig rig("mastodon");

settings settings_for(const http::response& answer, bool token = false) {
  settings with;
  const auto url = base::parse_url(answer.final_url);
  with.base_url = url ? url->origin() : "https://mastodon.social";
  if (token) with.values["token"] = "t";
  return with;
}

call call_for(operation op) {
  auto what = test::search_call(op, "#rstats");
  what.username = "alice";
  what.limit = 100;
  return what;
}

result<step> read_recorded(const std::string& endpoint, const http::response& answer) {
  if (endpoint.starts_with("search_v2")) {
    const bool anonymous = endpoint == "search_v2_unauth";
    return masto::read_search(
        {call_for(operation::microblog_search), settings_for(answer, !anonymous), answer, "", ""});
  }
  const auto with = settings_for(answer);
  if (endpoint == "account_statuses")
    return masto::read_timeline(
        {call_for(operation::microblog_users_posts), with, answer, "", "109"});
  if (endpoint == "timelines_tag" || endpoint == "error_429")
    return masto::read_search({call_for(operation::microblog_search), with, answer, "", ""});
  if (endpoint == "status_context" || endpoint == "error_404_status") {
    auto what = call_for(operation::microblog_posts_replies);
    what.native_id = instance_at(with.base_url).host + "/114026814291152535";
    return masto::read_replies({what, with, answer, "", ""});
  }
  return masto::read_lookup({call_for(operation::microblog_users_lookup), with, answer, "", ""});
}

void check_media(const post& item, const json::value& status) {
  std::size_t known = 0;
  for (const auto& one : base::array_of(member(status, "media_attachments"))) {
    const auto type = base::text_of(member(one, "type"));
    if (type == "unknown") continue;
    REQUIRE(known < item.media.size());
    const auto& media = item.media[known++];
    CHECK(media.type == (type == "gifv" ? "gif" : type));
    CHECK(media.url == base::text_of(member(one, "url")));
    CHECK(media.alt == clean_text(member(one, "description")));
    CHECK(media.width == base::integer_of(member(one, "meta", "original", "width")));
    CHECK(media.height == base::integer_of(member(one, "meta", "original", "height")));
  }
  CHECK(item.media.size() == known);
}

void check_status_item(const post& item, const json::value& outer, const instance& instance) {
  const bool boosted = member(outer, "reblog").is_object();
  const auto& status = boosted ? member(outer, "reblog") : outer;
  INFO("status " << item.id);
  CHECK(item.id == "mastodon:" + instance.host + "/" + base::text_of(member(status, "id")));
  CHECK(item.created_at == base::parse_time(base::text_of(member(status, "created_at"))));
  CHECK(item.created_at.has_value());
  CHECK(item.edited_at == base::parse_time(base::text_of(member(status, "edited_at"))));
  CHECK(item.metrics.likes == base::integer_of(member(status, "favourites_count")));
  CHECK(item.metrics.reposts == base::integer_of(member(status, "reblogs_count")));
  CHECK(item.metrics.replies == base::integer_of(member(status, "replies_count")));
  CHECK(item.metrics.quotes == base::integer_of(member(status, "quotes_count")));
  CHECK(item.metrics.likes.has_value());
  CHECK(item.lang == base::text_of(member(status, "language")));
  CHECK(item.sensitive == base::flag_of(member(status, "sensitive")));
  CHECK(item.text.find('<') == std::string::npos);
  const auto content = clean_html(base::text_of(member(status, "content")));
  CHECK(item.text.ends_with(content));
  const auto acct = base::text_of(member(status, "account", "acct"));
  CHECK(item.author.handle ==
        (acct.find('@') == std::string::npos ? acct + "@" + instance.host : acct));
  CHECK(item.author.display_name == clean_text(member(status, "account", "display_name")));
  CHECK(item.reposted_by.id.empty() == !boosted);
  const auto parent = base::text_of(member(status, "in_reply_to_id"));
  CHECK(item.parent_id == (parent.empty() ? "" : "mastodon:" + instance.host + "/" + parent));
  CHECK(item.tags.size() == base::array_of(member(status, "tags")).size());
  const auto card = file_url(base::text_of(member(status, "card", "url")));
  if (!card.empty())
    CHECK(std::find(item.links.begin(), item.links.end(), card) != item.links.end());
  for (const auto& mention : base::array_of(member(status, "mentions"))) {
    const auto url = base::text_of(member(mention, "url"));
    CHECK(std::find(item.links.begin(), item.links.end(), url) == item.links.end());
  }
  check_media(item, status);
}

/// Every status of an answer, in no order, by id.
void collect(const json::value& node, std::map<std::string, const json::value*>& out) {
  for (const auto& status : base::array_of(node)) {
    const bool boosted = member(status, "reblog").is_object();
    out.emplace(base::text_of(member(boosted ? member(status, "reblog") : status, "id")), &status);
  }
}

}  // namespace

TEST_CASE("mastodon: a method that wants a user wants a token") {
  auto what = call();
  what.op = operation::microblog_search;
  what.q = test::query_of("climate");
  for (const int status : {401, 403, 422}) {
    const auto read = masto::read_search(
        {what,
         {},
         test::answer_of(status, R"({"error":"Diese Methode verlangt ein Konto"})"),
         "",
         ""});
    REQUIRE(read.has_error());
    CHECK(read.error().code() == errc::source_auth_required);
  }
}

TEST_CASE("mastodon: every recorded answer is read without loss") {
  if (!rig.has_recordings()) return;
  std::size_t posts = 0;
  for (const auto& path : rig.recordings()) {
    INFO(path.filename().string());
    const auto endpoint = test::endpoint_of(path);
    const auto answer = test::recorded(path);
    if (test::is_unused("mastodon", endpoint) || answer.status != 200) continue;
    if (endpoint == "search_v2_unauth") continue;  // an error, below
    const auto page = test::listing_of(read_recorded(endpoint, answer));
    test::check_honest(page, "mastodon");
    const auto body = test::parsed(answer.body);
    std::map<std::string, const json::value*> statuses;
    collect(body, statuses);
    collect(member(body, "descendants"), statuses);
    collect(member(body, "statuses"), statuses);
    if (endpoint != "accounts_lookup") CHECK(page.items.size() == statuses.size());
    const auto at = instance_at(settings_for(answer).base_url);
    for (const auto& any : page.items) {
      const auto* one = std::get_if<post>(&any);
      if (one == nullptr) continue;
      ++posts;
      const auto found = statuses.find(one->id.substr(one->id.rfind('/') + 1));
      REQUIRE(found != statuses.end());
      check_status_item(*one, *found->second, at);
    }
    if (endpoint == "account_statuses") CHECK(page.next.starts_with("109/"));
    if (endpoint == "timelines_tag") CHECK(page.next.starts_with("m11"));
  }
  CHECK(posts > 120);
}

TEST_CASE("mastodon: statuses and accounts of other endpoints are read the same way") {
  if (!rig.has_recordings()) return;
  std::size_t seen = 0;
  for (const auto& path : rig.recordings()) {
    INFO(path.filename().string());
    const auto answer = test::recorded(path);
    const auto endpoint = test::endpoint_of(path);
    const auto at = instance_at(settings_for(answer).base_url);
    if (endpoint != "status" && endpoint != "timelines_public" && endpoint != "account" &&
        endpoint != "accounts_search")
      continue;
    const auto body = test::parsed(answer.body);
    const auto check = [&](const json::value& one) {
      ++seen;
      if (endpoint.starts_with("account")) {
        const auto user = masto::read_account(one, at);
        REQUIRE(user.has_value());
        CHECK(user->metrics.followers == base::integer_of(member(one, "followers_count")));
        CHECK(user->metrics.posts == base::integer_of(member(one, "statuses_count")));
        test::check_item(item(*user), "mastodon");
        return;
      }
      const auto post = masto::read_status(one, at);
      REQUIRE(post.has_value());
      check_status_item(*post, one, at);
      test::check_item(item(*post), "mastodon");
    };
    if (!body.is_array()) check(body);
    for (const auto& one : base::array_of(body)) check(one);
  }
  CHECK(seen > 25);
}

TEST_CASE("mastodon: every recorded error has its code") {
  if (!rig.has_recordings()) return;
  const std::map<std::string, errc> expected = {
      {"error_401", errc::source_auth_required}, {"error_404", errc::not_found},
      {"error_404_lookup", errc::not_found},     {"error_404_status", errc::not_found},
      {"error_429", errc::source_unavailable},   {"search_v2_unauth", errc::source_auth_required},
  };
  std::size_t seen = 0;
  for (const auto& path : rig.recordings()) {
    const auto endpoint = test::endpoint_of(path);
    const auto answer = test::recorded(path);
    if (answer.status == 200 && endpoint != "search_v2_unauth") continue;
    INFO(path.filename().string());
    const auto found = expected.find(endpoint);
    REQUIRE(found != expected.end());
    const auto read = read_recorded(endpoint, answer);
    REQUIRE(read.has_error());
    CHECK(read.error().code() == found->second);
    ++seen;
  }
  CHECK(seen == 7);
}

TEST_CASE("mastodon: fields of recorded answers, by hand") {
  if (!test::shared_has("recordings/mastodon/account_statuses__1.json")) return;
  const auto page = test::listing_of(
      read_recorded("account_statuses", rig.recording("account_statuses__1.json")));
  REQUIRE(page.items.size() == 20);
  CHECK(page.next == "109/113191408914362368");
  const auto& first = std::get<post>(page.items[0]);
  CHECK(first.id == "mastodon:fosstodon.org/114739545367952761");
  CHECK(first.url == "https://fosstodon.org/@schochastics/114739545367952761");
  CHECK(first.text ==
        "@petejones I am not too familiar with \"domain law\" but I assume that chances are "
        "extremely low that this might become an issue.");
  CHECK(first.author.handle == "schochastics@fosstodon.org");
  CHECK(first.author.id == "mastodon:fosstodon.org/109302436954721982");
  CHECK(first.links.empty());
  CHECK(first.conversation_id.empty());  // it answers something that is gone
  CHECK(first.metrics.likes == 1);
  CHECK(!first.metrics.quotes.has_value());
  const auto& third = std::get<post>(page.items[2]);
  CHECK(third.conversation_id == third.id);
  CHECK(third.tags == std::vector<std::string>{"rstats"});
  CHECK(third.metrics.reposts == 5);

  const auto status = masto::read_status(test::parsed(rig.recording("status__3.json").body),
                                         instance_at("https://mastodon.social"));
  REQUIRE(status.has_value());
  CHECK(status->quoted_id == "mastodon:mastodon.social/115044070560414080");
  CHECK(status->parent_id == "mastodon:mastodon.social/115044053131672379");
  CHECK(status->author.handle == "h4lcy.bsky.social@bsky.brid.gy");
  CHECK(status->metrics.quotes == 0);

  const auto account = masto::read_account(test::parsed(rig.recording("account__1.json").body),
                                           instance_at("https://fosstodon.org"));
  REQUIRE(account.has_value());
  CHECK(account->handle == "schochastics@fosstodon.org");
  CHECK(account->text == "Data Scientist/DevOps Engineer at cynkra | #Rstats enthusiast");
  CHECK(account->metrics.followers == 1036);
  CHECK(account->metrics.following == 138);
  CHECK(account->metrics.posts == 280);
  CHECK(account->banner_url.empty());  // a placeholder
  CHECK(account->links.front() == "https://www.mr.schochastics.net/");
  CHECK(base::format_time(*account->created_at) == "2022-11-07T00:00:00Z");
  CHECK(!account->verified.has_value());

  const auto thread =
      test::listing_of(read_recorded("status_context", rig.recording("status_context__4.json")));
  REQUIRE(thread.items.size() == 3);
  CHECK(std::get<post>(thread.items[2]).parent_id == common(thread.items[1]).id);
  CHECK(std::get<post>(thread.items[2]).conversation_id ==
        "mastodon:fosstodon.org/114026814291152535");
  const auto cut =
      test::listing_of(read_recorded("status_context", rig.recording("status_context__1.json")));
  CHECK(cut.items.size() == 59);
  CHECK(cut.partial);
}

TEST_CASE("mastodon: a hashtag timeline is never presented as a search") {
  auto what = call_for(operation::microblog_search);
  what.q = test::query_of("climate");
  for (const auto body : {"[]", R"([{"id":"1","content":"<p>climate</p>"}])"}) {
    const auto page =
        test::listing_of(masto::read_search({what, {}, test::answer_of(200, body), "", ""}));
    CHECK(page.partial);
    CHECK(page.warnings.size() == 1);
    CHECK(page.next.empty());
  }
  what.q = test::query_of("#climate");
  CHECK(!test::listing_of(masto::read_search({what, {}, test::answer_of(200, "[]"), "", ""}))
             .partial);
}

TEST_CASE("mastodon: boosts, warnings, hidden posts and pages") {
  auto what = call_for(operation::microblog_users_posts);
  what.limit = 20;
  auto answer = test::answer_of(200, R"([
    {"id":"9","created_at":"2026-10-31T00:00:00Z","content":"","visibility":"public",
     "account":{"id":"1","acct":"alice"},
     "reblog":{"id":"5","created_at":"2026-09-01T00:00:00Z","content":"<p>old</p>","uri":"https://other.example/users/b/statuses/5",
               "account":{"id":"2","acct":"b@other.example"}}},
    {"id":"8","content":"<p>a<br>b</p><p>c &amp; <a href=\"https://x.example/1\">d</a></p>","spoiler_text":"careful","visibility":"unlisted"},
    {"id":"7","content":"<p>secret</p>","visibility":"private"},
    {"id":"../6","content":"<p>no id</p>"}])");
  answer.headers.push_back(
      {"Link", "<https://evil.example/api/v1/x?max_id=42&limit=20>; rel=\"next\""});
  const auto page = test::listing_of(masto::read_timeline({what, {}, answer, "", "109"}));
  REQUIRE(page.items.size() == 2);
  const auto& boost = std::get<post>(page.items[0]);
  CHECK(boost.id == "mastodon:mastodon.social/5");
  CHECK(boost.url == "https://other.example/users/b/statuses/5");
  CHECK(boost.reposted_by.handle == "alice@mastodon.social");
  CHECK(boost.author.handle == "b@other.example");
  const auto& warned = std::get<post>(page.items[1]);
  CHECK(warned.text.starts_with("careful\n\na\nb"));
  CHECK(warned.links == std::vector<std::string>{"https://x.example/1"});
  CHECK(page.next == "109/42");
  CHECK(masto::plan_timeline(what, {}, page.next)->url ==
        "https://mastodon.social/api/v1/accounts/109/statuses?limit=20&max_id=42");
  what.since = base::parse_time("2026-10-30T00:00:00Z");
  CHECK(test::listing_of(masto::read_timeline({what, {}, answer, "", "109"})).next == "109/42");
  what.since = base::parse_time("2026-11-01T00:00:00Z");
  CHECK(test::listing_of(masto::read_timeline({what, {}, answer, "", "109"})).next.empty());
}

TEST_CASE("mastodon: broken answers never break the reader") {
  if (!rig.has_recordings()) return;
  unsigned seed = 20261101;
  const std::map<std::string, operation> files = {
      {"accounts_lookup__1", operation::microblog_users_lookup},
      {"timelines_tag__1", operation::microblog_search},
      {"status_context__4", operation::microblog_posts_replies},
      {"account_statuses__1", operation::microblog_users_posts}};
  for (const auto& [name, op] : files) {
    const auto answer = rig.recording(name + ".json");
    auto what = call_for(op);
    what.native_id = "fosstodon.org/1";
    rig.configured(settings_for(answer))
        .read_broken(what, answer,
                     {300, seed++, "", op == operation::microblog_users_posts ? "109" : ""});
  }
}

}  // namespace freshet::sources::mastodon
