// A page and a schema to a value: each place of the schema is looked for in what the page says for
// machines, or where its own selector points, and every value that is found says where it was. What
// is not there is not made up.
#pragma once

#include <base/work.hpp>
#include <cstddef>
#include <cstdint>
#include <extract/schema.hpp>
#include <freshet/item.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::extract {

/// Values of one extraction; a schema and a page can make many of each other.
inline constexpr std::size_t max_values = 20'000;

struct source_page {
  std::string_view utf8;               ///< HTML
  std::string_view address;            ///< of the page
  std::string_view charset = "UTF-8";  ///< that it was in: its links' queries are sent in it
};

struct extracted_data {
  json_text value;  ///< "" where nothing was found
  std::vector<provenance> sources;
  std::vector<std::string> missing;  ///< JSON pointers
  std::vector<std::string> warnings;
};

/// The steps that an extraction may take. Each selector goes through what stands below the element
/// that it begins at, so selectors in selectors take the square of a page, and its cube.
[[nodiscard]] std::uint64_t work_bound(std::size_t bytes) noexcept;

/// Counts its work, where there is a meter also there, and throws what that throws.
[[nodiscard]] extracted_data extract(const source_page& source, const schema& schema,
                                     base::meter* counted = nullptr);

}  // namespace freshet::extract
