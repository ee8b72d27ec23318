// The driver of the conformance suite: every source at every operation that its descriptor names,
// walked through its sandbox, with the exchanges kept so that they can be read again under another
// call or with a broken answer. It knows no source: a new one is covered once it is listed.
#pragma once

#include <engine/runtime/environment.hpp>
#include <sources/item_check.hpp>
#include <sources/source.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::test {

/// One request and its answer, on the way to a page.
struct exchange {
  http::request asked;
  http::response answer;
  std::string position, state;  ///< as read() was given them
};

/// One page of a walk: the steps that led to it, and what it says.
struct walked_page {
  std::vector<exchange> steps;
  sources::listing page;
};

/// A source at one instance and one operation, with a call that its sandbox answers.
struct subject {
  const sources::descriptor* source = nullptr;
  const sources::capability* how = nullptr;
  const sources::settings* where = nullptr;
  sources::call what;
  std::vector<walked_page> pages;

  /// "lemmy forum/search", for the messages of failures.
  [[nodiscard]] std::string name() const;
  [[nodiscard]] const catalog::endpoint& endpoint() const;
  [[nodiscard]] std::vector<const item*> items() const;
  [[nodiscard]] bool promises(sources::native_promise one) const {
    return (how->native & one) != 0;
  }
};

/// Every source, capability and instance whose sandbox has something to say. Made once.
[[nodiscard]] const std::vector<subject>& subjects();
/// What should have been among them: "source operation: why not".
[[nodiscard]] const std::vector<std::string>& missing_subjects();

/// The pages of a call, by the sandbox.
[[nodiscard]] result<std::vector<walked_page>> walk_sandbox(const sources::capability& how,
                                                            const sources::settings& where,
                                                            const sources::call& call);

/// The items that a walk's recorded answers give when they are read for `instead`, and that pass
/// the engine's filter.
[[nodiscard]] std::vector<item> reread(const subject& subject, const sources::call& instead);

/// A call as the body of a request to the engine, restricted to the source.
[[nodiscard]] std::string body_of(const subject& subject, int limit, std::string_view cursor);

[[nodiscard]] query::text_query query_for(std::string_view q);

}  // namespace freshet::test
