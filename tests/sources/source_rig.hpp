// What every source's tests begin with: the source by its name, the settings that it is asked with,
// its recordings, and the calls that are asked of its kind. Knows nothing of any one source; what
// only one of them needs stands in its own test.
#pragma once

#include <catch2/catch.hpp>
#include <sources/exchange.hpp>
#include <string>
#include <string_view>
#include <support/print_result.hpp>
#include <utility>
#include <vector>

namespace freshet::test {

/// An operation asked at the sandbox's moment; the rest is the test's.
inline sources::call call_of(catalog::operation op) {
  sources::call made;
  made.op = op;
  made.now = sources::sandbox_now;
  return made;
}

inline sources::call search_call(catalog::operation op, std::string_view q) {
  auto made = call_of(op);
  made.q = query_of(q);
  return made;
}

namespace forum_calls {

inline sources::call search_for(std::string_view q) {
  return search_call(catalog::operation::forum_search, q);
}

inline sources::call comments_of(std::string id, std::string url = "") {
  auto made = call_of(catalog::operation::forum_posts_comments);
  made.native_id = std::move(id);
  made.url = std::move(url);
  return made;
}

}  // namespace forum_calls

namespace news_calls {

inline sources::call search_for(std::string_view q) {
  return search_call(catalog::operation::news_search, q);
}

}  // namespace news_calls

namespace web_calls {

inline sources::call search_for(std::string_view q) {
  return search_call(catalog::operation::web_serp_search, q);
}

}  // namespace web_calls

namespace shortvideo_calls {

/// With whatever any operation on videos wants, as every sandbox knows it.
inline sources::call call_for(catalog::operation op) {
  auto made = search_call(op, "climate");
  made.username = "coastlab";
  made.hashtag = "tides";
  return made;
}

}  // namespace shortvideo_calls

/// Why something was refused.
template <class Value>
errc code_of(const result<Value>& refused) {
  REQUIRE(refused.has_error());
  return refused.error().code();
}

/// A recorded answer, named by its path below ../shared/recordings.
inline http::response recording_at(const std::string& path) {
  return recorded(shared_dir() / "recordings" / path);
}

/// How many broken copies of an answer are read, and where the breaking begins.
struct breakage {
  int copies = 0;
  unsigned seed = 0;
  std::string_view position{}, state{};
};

/// A source as its tests ask it.
class source_rig {
 public:
  /// `folder`: of its recordings, where that is not its name.
  explicit source_rig(std::string_view name, sources::settings settings = {},
                      std::string_view folder = "")
      : name_(name), folder_(folder.empty() ? name : folder), settings_(std::move(settings)) {}

  /// The same source with other settings.
  [[nodiscard]] source_rig configured(sources::settings settings) const {
    auto other = *this;
    other.settings_ = std::move(settings);
    return other;
  }

  [[nodiscard]] const sources::descriptor& source() const {
    const auto* found = sources::find_source(name_);
    if (found == nullptr) FAIL("there is no source " << name_);
    return *found;
  }
  [[nodiscard]] const sources::capability& capability_for(catalog::operation op) const {
    const auto* found = sources::find_capability(source(), op);
    if (found == nullptr) FAIL(name_ << " does not serve operation " << static_cast<int>(op));
    return *found;
  }
  [[nodiscard]] const sources::settings& settings() const { return settings_; }

  [[nodiscard]] result<http::request> plan(const sources::call& call,
                                           std::string_view position = "") const {
    return capability_for(call.op).plan(call, settings_, position);
  }
  /// The URL that is asked, or the name of the refusal.
  [[nodiscard]] std::string planned(const sources::call& call,
                                    std::string_view position = "") const {
    const auto request = plan(call, position);
    return request ? request->url : std::string(describe(request.error().code()).name);
  }
  /// The same for what is posted.
  [[nodiscard]] std::string planned_body(const sources::call& call,
                                         std::string_view position = "") const {
    const auto request = plan(call, position);
    return request ? request->body : std::string(describe(request.error().code()).name);
  }

  [[nodiscard]] result<sources::step> read(const sources::call& call, const http::response& answer,
                                           std::string_view position = "",
                                           std::string_view state = "") const {
    return capability_for(call.op).read({call, settings_, answer, position, state});
  }
  /// The answer to a search for "x"; a search is the first that a source lists.
  [[nodiscard]] result<sources::step> read(const http::response& answer,
                                           std::string_view position = "") const {
    return read(search_call(source().capabilities.front().op, "x"), answer, position);
  }

  [[nodiscard]] bool has_recordings() const { return shared_has("recordings/" + folder_); }
  [[nodiscard]] std::vector<std::filesystem::path> recordings() const {
    return test::recordings(folder_);
  }
  [[nodiscard]] http::response recording(const std::string& name) const {
    return recording_at(folder_ + "/" + name);
  }

  /// Reads broken copies of an honest answer: none may crash, and what comes must be sound.
  void read_broken(const sources::call& call, const http::response& honest,
                   const breakage& breaking) const {
    read_mutations(capability_for(call.op), call, settings_, honest, breaking.position,
                   breaking.state, name_, breaking.copies, breaking.seed);
  }
  void read_broken(const http::response& honest, const breakage& breaking) const {
    read_broken(search_call(source().capabilities.front().op, "x"), honest, breaking);
  }

 private:
  std::string name_, folder_;
  sources::settings settings_;
};

}  // namespace freshet::test
