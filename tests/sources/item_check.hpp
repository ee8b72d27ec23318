// What must hold for any item and any page of any source, whatever the answer was: the catalogue's
// schema, and what the contract says beyond types. Says what is wrong instead of asserting it, so
// that thousands of hostile answers can be judged in one test.
#pragma once

#include <base/unicode.hpp>
#include <base/url.hpp>
#include <freshet/item.hpp>
#include <model/json.hpp>
#include <sources/source.hpp>
#include <string>
#include <string_view>
#include <support/schema_check.hpp>
#include <vector>

namespace freshet::test {

using problem_list = std::vector<std::string>;

inline bool is_web_url(std::string_view text) {
  const auto url = base::parse_url(text);
  return url && url->is_http() && url->text() == text && url->username.empty() &&
         url->password.empty();
}

inline bool is_clean(std::string_view text) {
  return base::is_utf8(text) && base::nfc(text) == text && base::trim(text) == text &&
         text.find('\0') == std::string_view::npos;
}

namespace item_check {

class judge {
 public:
  explicit judge(problem_list& problems, std::string about)
      : out_(problems), about_(std::move(about)) {}
  void expect(bool holds, std::string_view name) {
    if (!holds) out_.push_back(about_ + ": " + std::string(name));
  }
  void expect_url(std::string_view url, std::string_view name) {
    if (!url.empty())
      expect(is_web_url(url),
             std::string(name) + " is no web address: " + base::repair_utf8(url.substr(0, 200)));
  }
  void expect_clean(std::string_view text, std::string_view name) {
    expect(is_clean(text), std::string(name) + " is not clean text");
  }

 private:
  problem_list& out_;
  std::string about_;
};

inline void judge_common(judge& judge, const item_common& one, std::string_view source) {
  // An archive gives the items of others, as theirs.
  const auto* from = sources::find_source(source);
  if (from != nullptr && from->of_archive) {
    source = one.source;
    from = sources::find_source(source);
    judge.expect(from != nullptr && !from->of_archive, "it is of no source");
  }
  const auto prefix = std::string(source) + ":";
  judge.expect(one.source == source, "its source is not " + std::string(source));
  judge.expect(one.id.starts_with(prefix) && one.id.size() > prefix.size(), "its id is not ours");
  judge.expect(base::is_utf8(one.id), "its id is not UTF-8");
  judge.expect_url(one.url, "url");
  if (!one.url.empty())
    judge.expect(base::canonical_url(one.url) == one.url, "url is not canonical");
  judge.expect_clean(one.title, "title");
  judge.expect_clean(one.text, "text");
  if (!one.author.id.empty())
    judge.expect(one.author.id.starts_with(prefix), "author.id is not ours");
  judge.expect_url(one.author.url, "author.url");
  judge.expect_url(one.author.avatar_url, "author.avatar_url");
  judge.expect_clean(one.author.display_name, "author.display_name");
  judge.expect(one.author.handle.find('\n') == std::string::npos, "author.handle has a line break");
  for (const auto& media : one.media) {
    judge.expect(media.type == "image" || media.type == "video" || media.type == "audio" ||
                     media.type == "gif",
                 "media of type " + media.type);
    judge.expect(is_web_url(media.url), "media.url is no web address");
    judge.expect_url(media.preview_url, "media.preview_url");
    judge.expect_clean(media.alt, "media.alt");
  }
  for (const auto& tag : one.tags)
    judge.expect(!tag.empty() && is_clean(tag), "a tag is not clean");
  for (const auto& link : one.links) judge.expect(is_web_url(link), "a link is no web address");
}

}  // namespace item_check

/// What is wrong with an item of `source`; empty if nothing.
inline problem_list item_problems(const item& any, std::string_view source) {
  problem_list out;
  const auto& one = common(any);
  item_check::judge by(out, base::repair_utf8(one.id));
  item_check::judge_common(by, one, source);
  std::string text;
  model::append_item(text, any);
  const auto written = base::parse_json(text, true);
  by.expect(written.has_value(), "it does not become JSON");
  if (!written) return out;
  const auto* schema = catalog::find_object_schema(base::view_of(base::member(*written, "object")));
  by.expect(schema != nullptr, "it is of an unknown kind");
  if (schema == nullptr) return out;
  for (auto& wrong : schema_problems(*written, *schema)) by.expect(false, wrong);
  return out;
}

/// What is wrong with a page.
inline problem_list page_problems(const sources::listing& page, std::string_view source) {
  problem_list out;
  item_check::judge by(out, "page");
  by.expect(page.next.size() <= 512, "its position is longer than 512 bytes");
  for (const char c : page.next) {
    if (c < ' ' || c > '~') by.expect(false, "its position is not printable ASCII");
  }
  by.expect(!page.partial || !page.warnings.empty(), "it is partial and does not say why");
  for (const auto& one : page.items) {
    for (auto& wrong : item_problems(one, source)) out.push_back(std::move(wrong));
  }
  return out;
}

/// The codes with which a source may refuse: never `internal`, never `rate_limited`, which is ours.
inline bool may_refuse_with(errc code) {
  return code == errc::not_found || code == errc::source_error || code == errc::source_blocked ||
         code == errc::source_auth_required || code == errc::source_unavailable ||
         code == errc::source_timeout;
}

/// What is wrong with what read() made of an answer, whatever the answer was.
inline problem_list step_problems(const result<sources::step>& read, std::string_view source) {
  problem_list out;
  item_check::judge by(out, "read()");
  if (!read) {
    const auto& failed = read.error();
    const auto name = std::string(describe(failed.code()).name);
    // A page that is no page (a picture, a program) is the one refusal that scraping adds.
    by.expect(may_refuse_with(failed.code()) || failed.code() == errc::unsupported_content,
              "it refuses with " + name + ": " + failed.detail());
    by.expect(base::is_utf8(failed.source_text), "source_text is not UTF-8");
    by.expect(base::is_utf8(failed.detail()), "detail is not UTF-8");
    by.expect(!failed.retry_after || failed.retry_after->count() >= 0, "retry_after is negative");
    return out;
  }
  if (const auto* page = std::get_if<sources::listing>(&*read)) return page_problems(*page, source);
  by.expect(is_web_url(std::get<sources::follow>(*read).request.url), "it follows no web address");
  return out;
}

inline std::string joined(const problem_list& problems, std::size_t most = 5) {
  std::string out;
  for (std::size_t i = 0; i < problems.size() && i < most; ++i) out += "\n  " + problems[i];
  if (problems.size() > most) out += "\n  and " + std::to_string(problems.size() - most) + " more";
  return out;
}

}  // namespace freshet::test
