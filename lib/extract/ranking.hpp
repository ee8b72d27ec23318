// Which of a page's objects a schema means: those that have most of what it asks for, the page's
// own before what stands beside it.
#pragma once

#include <extract/evidence.hpp>
#include <extract/schema.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace freshet::extract {

class ranking {
 public:
  ranking(const evidence& page, const schema& schema) : page_(page), by_(schema) {}

  /// Where the properties of one object are looked for, the best first: an object of JSON-LD or
  /// microdata, one of the other kind if that is about the same, then what the page says of itself.
  [[nodiscard]] std::vector<thing> best_for(const wanted_value& object) const;

  /// What a list of such objects is: all things of the type that the list or its items name, the
  /// elements of a list of things, or the rows of a table.
  [[nodiscard]] std::vector<thing> list_for(const wanted_value& list,
                                            const wanted_value& item) const;

  /// The ways to a property, worked out once.
  [[nodiscard]] const std::vector<std::string>& ways(const wanted_value& property) const;

 private:
  [[nodiscard]] int score(const thing& one, const wanted_value& object) const;
  [[nodiscard]] int coverage(const thing& one, const wanted_value& object) const;
  [[nodiscard]] std::vector<thing> rows_for(const wanted_value& item) const;

  const evidence& page_;
  const schema& by_;
  mutable std::unordered_map<const wanted_value*, std::vector<std::string>> ways_;
};

}  // namespace freshet::extract
