// The schemas of everything that can be in `data`: the contract's section 3 as tables, key by key
// in the order in which lib/model writes them. Nothing else in the code lists the keys of an item.
#include <algorithm>
#include <array>
#include <catalog/endpoint.hpp>

namespace freshet::catalog {
namespace {

constexpr field required(std::string_view name, field_type type, std::string_view doc) {
  return {name, type, false, doc, {}};
}

constexpr field optional(std::string_view name, field_type type, std::string_view doc) {
  return {name, type, true, doc, {}};
}

constexpr field group(std::string_view name, std::string_view doc, std::span<const field> fields) {
  return {name, field_type::object, false, doc, fields};
}

constexpr field optional_group(std::string_view name, std::string_view doc,
                               std::span<const field> fields) {
  return {name, field_type::object, true, doc, fields};
}

constexpr field group_list(std::string_view name, std::string_view doc,
                           std::span<const field> fields) {
  return {name, field_type::object_list, false, doc, fields};
}

using enum field_type;

constexpr field author_fields[] = {
    optional("id", string, "`<source>:<native id>`"),
    optional("handle", string, "Without a leading @"),
    optional("display_name", string, "As shown beside the handle"),
    optional("url", uri, "The profile's address"),
    optional("avatar_url", uri, "The picture's address"),
};

constexpr field media_fields[] = {
    required("type", string, "`image`, `video`, `audio` or `gif`"),
    required("url", uri, "The file, or the page that plays it"),
    optional("preview_url", uri, "A smaller or still picture"),
    optional("alt", string, "The author's description"),
    optional("width", integer, "Pixels"),
    optional("height", integer, "Pixels"),
    optional("duration_s", number, "Seconds"),
};

constexpr field music_fields[] = {
    optional("id", string, "`<source>:<native id>`"),
    optional("title", string, "The title of the piece"),
    optional("author", string, "Who made it"),
};

constexpr field engine_fields[] = {
    required("name", string, "The search engine"),
    optional("rank", integer, "Its own rank for this result, from 1"),
};

constexpr field site_fields[] = {
    optional("name", string, "The medium's name"),
    optional("domain", string, "Its host, without `www.`"),
    optional("country", string, "ISO 3166-1 alpha-2"),
};

constexpr field post_metrics[] = {
    optional("likes", integer, "Likes or favourites"),
    optional("reposts", integer, "Reposts or boosts"),
    optional("replies", integer, "Direct replies"),
    optional("quotes", integer, "Quotes"),
    optional("views", integer, "Views"),
};

constexpr field user_metrics[] = {
    optional("followers", integer, "Accounts that follow this one"),
    optional("following", integer, "Accounts that this one follows"),
    optional("posts", integer, "Posts or videos published"),
};

constexpr field video_metrics[] = {
    optional("views", integer, "Views"),
    optional("likes", integer, "Likes"),
    optional("comments", integer, "Comments"),
    optional("shares", integer, "Shares"),
};

constexpr field forum_post_metrics[] = {
    optional("score", integer, "Votes for less votes against, or points"),
    optional("upvote_ratio", number, "Votes for, 0 to 1 of all"),
    optional("comments", integer, "Comments"),
    optional("views", integer, "Views"),
};

constexpr field comment_metrics[] = {
    optional("score", integer, "Votes for less votes against, or points"),
};

/// The keys of every item; `metrics` differs by object and stands in their middle.
constexpr std::array<field, 13> common_with(std::span<const field> metrics) {
  return {{
      required("object", string, "What this is"),
      required(
          "id", string,
          "`<source>:<native id>`, or `<source>:<host>/<native id>` where a source has several "
          "instances; accepted wherever an `id` is asked for"),
      required("source", string, "The source's name"),
      optional("url", uri, "Canonical, absolute, without tracking parameters"),
      optional("title", string, "The title"),
      optional("text", string, "Plain text, entities decoded, NFC"),
      optional("lang", string, "BCP 47"),
      optional("created_at", time, "RFC 3339, UTC"),
      group("author", "Who wrote it; all null when the source hides it", author_fields),
      group("metrics", "Counts, null where the source does not give them", metrics),
      group_list("media", "Pictures, videos and sounds", media_fields),
      required("tags", string_list, "Without a leading #"),
      required("links", string_list, "Absolute addresses in the text"),
  }};
}

constexpr auto post_common = common_with(post_metrics);
constexpr auto user_common = common_with(user_metrics);
constexpr auto video_common = common_with(video_metrics);
constexpr auto forum_post_common = common_with(forum_post_metrics);
constexpr auto comment_common = common_with(comment_metrics);
constexpr auto plain_common = common_with({});

constexpr field post_own[] = {
    optional("parent_id", string, "The post that this one answers"),
    optional("conversation_id", string, "The first post of the thread"),
    optional("quoted_id", string, "The post that this one quotes"),
    optional_group("reposted_by", "Who put it into the timeline; null if nobody", author_fields),
    optional("sensitive", boolean, "Marked as sensitive by its author or the source"),
};

constexpr field user_own[] = {
    optional("handle", string, "Without a leading @"),
    optional("display_name", string, "As shown beside the handle"),
    optional("avatar_url", uri, "The picture's address"),
    optional("banner_url", uri, "The banner's address"),
    optional("verified", boolean, "Whether the source vouches for the user"),
};

constexpr field video_own[] = {
    optional("duration_s", number, "Seconds"),
    optional("thumbnail_url", uri, "A still picture"),
    optional_group("music", "The piece of music; null if none is named", music_fields),
};

constexpr field forum_post_own[] = {
    optional("community", string, "`name` or `name@host`"),
    optional("link_url", uri, "Where a link post points"),
    optional("sensitive", boolean, "Marked as sensitive by its author or the source"),
};

constexpr field comment_own[] = {
    optional("post_id", string, "The post it stands under"),
    optional("parent_id", string, "The comment it answers; null at depth 0"),
    required("depth", integer, "0 for a comment on the post itself"),
};

constexpr field web_result_own[] = {
    required("rank", integer, "From 1, through all pages"),
    optional("display_url", string, "The address as the engine shows it"),
    optional("site_name", string, "The site's name"),
    group_list("engines", "Every engine that gave this result, with its own rank", engine_fields),
};

constexpr field article_own[] = {
    group("site", "Where it appeared", site_fields),
};

constexpr field document_own[] = {
    required("markdown", string, "The content as markdown; empty if the page holds no text"),
    optional("final_url", uri, "The address after redirects"),
    optional("site_name", string, "The site's name"),
    optional("description", string, "The page's own description"),
    optional("image_url", uri, "The page's main picture"),
    required("word_count", integer, "Words of the markdown's text"),
    required("token_estimate", integer, "cl100k tokens of the markdown, within about 10 %"),
    optional("status_code", integer, "The HTTP status of the page; null if nothing was fetched"),
    optional("content_type", string, "The page's media type"),
};

constexpr field account_common[] = {
    required("object", string, "What this is"),
    required("id", string, "The identifier"),
};

constexpr field period_fields[] = {
    required("start", time, "The first moment of the month, UTC"),
    required("end", time, "The first moment of the next month, UTC"),
    required("grant", integer, "The credits that the plan grants for the period"),
};

constexpr field calling_key_fields[] = {
    required("id", string, "`key_…`, or `dashboard` where a signed-in person calls"),
    required("mode", string, "`live` or `test`"),
    required("scopes", string_list, "`read`, `account`"),
    required("last_four", string, "The last four characters of the key"),
    optional("monthly_budget", integer, "Credits that the key may use a month; null: no limit"),
    optional("expires_at", time, "When the key ends; null: never"),
    optional("name", string, "What its owner calls it"),
    optional("budget_used", integer, "What is used of the budget this month; null: no budget"),
};

constexpr field limits_fields[] = {
    required("rate", number, "Requests a second"),
    required("burst", integer, "Requests at once"),
};

constexpr field account_own[] = {
    required("email", string, "Who owns the account"),
    required("plan", string, "The plan's name"),
    required("balance", integer, "Credits, those reserved included"),
    required("reserved", integer, "Credits held for calls that are running"),
    group("period", "The month that the grant is for", period_fields),
    group("key", "The key that made this call", calling_key_fields),
    group("limits", "The plan's rate limit", limits_fields),
};

constexpr field usage_row_own[] = {
    required("group", string,
             "A day (`2026-11-21`), an endpoint, a key's id or a source; two of them joined by a "
             "comma"),
    required("calls", integer, "Charged calls"),
    required("credits", integer, "Credits that they used"),
    optional("day", string, "The day that the row stands for; null: all of them"),
    optional("endpoint", string, "The endpoint; null: all of them"),
    optional("key_id", string, "The key, or `dashboard`; null: all of them"),
    optional("source", string, "The source; null: all of them"),
};

constexpr field ledger_entry_own[] = {
    required("created_at", time, "When it was booked"),
    required("kind", string, "`grant`, `usage`, `refund` or `expiry`"),
    required("amount", integer, "Credits; negative when they were used"),
    required("balance", integer, "The account's balance after it"),
    optional("reason", string, "Why, in words"),
    optional("endpoint", string, "The endpoint that was called"),
    optional("request_id", string, "The call that was charged"),
    optional("key_id", string, "The key that made the call, or `dashboard`"),
    required("hash", string, "Of this entry and the one before it, in hexadecimal"),
    optional("refund_of", string, "The `id` of the entry that this one refunds"),
};

constexpr field api_key_own[] = {
    required("mode", string, "`live` or `test`"),
    required("scopes", string_list, "`read`, `account`"),
    required("last_four", string, "The last four characters of the key"),
    optional("monthly_budget", integer, "Credits that the key may use a month; null: no limit"),
    required("created_at", time, "When the key was made"),
    optional("expires_at", time, "When the key ends; null: never"),
    optional("revoked_at", time, "When the key was revoked; null: it was not"),
    optional("last_used_at", time, "When the key was last used"),
    optional("key", string, "The key itself: only in the answer that makes it, else null"),
    optional("name", string, "What its owner calls it"),
    required("prefix", string, "What the key begins with: `frs_live_` or `frs_test_`"),
    optional(
        "budget_used", integer,
        "What is used of the budget this month, with the keys that it was rotated from and to; "
        "null: no budget"),
    optional("rotated_at", time, "When another key took its place; null: none did"),
};

constexpr object_schema post{"post", "A post of a microblog", post_common, post_own};
constexpr object_schema user{
    "user", "A user of a microblog, or a creator of short videos; `text` is the bio", user_common,
    user_own};
constexpr object_schema video{"video", "A video; `text` is its description", video_common,
                              video_own};
constexpr object_schema forum_post{"forum_post", "A post of a forum", forum_post_common,
                                   forum_post_own};
constexpr object_schema comment{"comment", "A comment under a forum post", comment_common,
                                comment_own};
constexpr object_schema web_result{"web_result", "A result of a web search; `text` is the snippet",
                                   plain_common, web_result_own};
constexpr object_schema article{"article", "A piece of press; `text` is the summary", plain_common,
                                article_own};
constexpr object_schema document{"document",
                                 "A page as markdown; `text` is the plain text of the content",
                                 plain_common, document_own};
constexpr object_schema account{"account", "The account of the calling key", account_common,
                                account_own};
constexpr object_schema usage_row{"usage_row", "What one day, endpoint, key or source has used",
                                  account_common, usage_row_own};
constexpr object_schema ledger_entry{"ledger_entry", "One movement of credits", account_common,
                                     ledger_entry_own};
constexpr object_schema api_key{"api_key", "An API key", account_common, api_key_own};

constexpr const object_schema* all_schemas[] = {
    &post,    &user,     &video,   &forum_post, &comment,      &web_result,
    &article, &document, &account, &usage_row,  &ledger_entry, &api_key,
};

constexpr shared_fields all_shared[] = {
    {"Author", "Who wrote an item", author_fields},
    {"Media", "A picture, a video or a sound", media_fields},
};

}  // namespace

std::span<const object_schema* const> object_schemas() noexcept { return all_schemas; }

std::span<const shared_fields> shared_objects() noexcept { return all_shared; }

const object_schema* find_object_schema(std::string_view name) noexcept {
  const auto* found = std::find_if(std::begin(all_schemas), std::end(all_schemas),
                                   [&](const object_schema* one) { return one->name == name; });
  return found == std::end(all_schemas) ? nullptr : *found;
}

}  // namespace freshet::catalog
