// What the files of this source share: which of its two interfaces an instance
// has, positions, the post that a call means, what read.cpp makes of answers,
// and the table of language numbers.
#pragma once

#include <base/json.hpp>
#include <cstdint>
#include <freshet/result.hpp>
#include <sources/comment_tree.hpp>
#include <sources/position.hpp>
#include <sources/read_answer.hpp>
#include <sources/source.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::sources::lemmy {

inline constexpr int max_page_size = 50;      // of the API
inline constexpr int max_pages = 200;         // beyond it an instance only repeats deep table scans
inline constexpr int max_comment_depth = 50;  // deeper comments can not be written

/// Comments, at which an instance cuts a thread, and each branch of it.
inline constexpr std::size_t whole_thread = 300;
/// How many branches of a cut thread one walk asks for, and how deep in each other.
inline constexpr std::size_t max_branches = 1000, max_branch_depth = 5;

/// The interface by which an instance is searched. From 1.0 on the old one is a
/// shim that searches without community, page and order. Each is the state of
/// the step that reads its results.
inline constexpr std::string_view old_interface = "v3", new_interface = "v4";

/// Where a search goes on: a page of the old interface, or a cursor of the new
/// one. The first page is of the one that the instance's version says.
struct search_position {
  sized_page old_page;
  std::string cursor;  ///< "": of the old interface
};
/// The position of this page. Error: invalid_cursor.
[[nodiscard]] result<search_position> read_position(std::string_view text, int limit);
/// The position of the page behind a cursor.
[[nodiscard]] std::string cursor_position(std::string_view cursor);

/// The search of an instance whose version is known.
[[nodiscard]] http::request search_request(const call& call, const settings& settings,
                                           const search_position& position,
                                           std::string_view interface);

/// host[:port] of the instance that is asked.
[[nodiscard]] std::string host_of_instance(const settings& settings);

/// The post that a call names: a number on the instance asked, or the address of one elsewhere
/// that the instance must look up. Both empty: none that Lemmy could know.
struct post_target {
  std::string number;
  std::string remote_url;
};
[[nodiscard]] post_target target_of(const call& call, const settings& settings);

/// The request for all comments of post `number` of the instance.
[[nodiscard]] http::request comments_request(std::string_view number, const call& call,
                                             const settings& settings);

/// The request for what hangs below a comment of the instance.
[[nodiscard]] http::request branch_request(std::string_view number, const call& call,
                                           const settings& settings);

/// A comment whose answers come by a request of their own, as its thread was cut.
struct subthread {
  std::size_t behind = 0;  ///< where the list that it stands in goes on; 0: it ends with it
  std::string number;
};
/// Where a walk through a thread goes on: in the list below the last of `above`, or in the thread's
/// own list.
struct thread_place {
  std::size_t asked = 0;         ///< branches so far
  std::vector<subthread> above;  ///< the outermost first
  std::string within;            ///< of page_of_thread()

  [[nodiscard]] std::string text() const;  ///< "7/12:4711/0:4730=20:lemmy:host/4731"
};
/// Error: invalid_cursor, but for `within`.
[[nodiscard]] result<thread_place> read_thread_place(std::string_view text);

/// "lemmy:<host>/<number>".
[[nodiscard]] std::string id_of(const std::string& host, std::string_view number);
/// The body of a good answer, or what a bad one means.
[[nodiscard]] result<json_body> read_body(const http::response& answer);
/// What is counted of a post or a comment: beside it, or from 1.0 on within it.
[[nodiscard]] const base::json::value& counts_of(const base::json::value& view,
                                                 const base::json::value& counts) noexcept;
/// Comments with their places; one whose parent is not in the answer hangs below the nearest
/// ancestor that is, while parent_id and depth stay what they are.
[[nodiscard]] std::vector<thread_entry> entries_of(const base::json::value& views,
                                                   const std::string& host);

/// The BCP 47 code of Lemmy's `language_id`; "" for 0 (undetermined) and unknown ones.
[[nodiscard]] std::string_view language_of(std::int64_t number) noexcept;

/// Whether the posts of a call come the newest first: a search has no better order.
[[nodiscard]] bool comes_by_age(const call& call);

plan_function plan_search, plan_comments, plan_one, plan_community;
read_function read_search, read_comments, read_one, read_community;

}  // namespace freshet::sources::lemmy
