// What the state that a page hands to its scripts says of the product on the page: its description
// and its features. Other products, remarks and pictures in it are not read.
#pragma once

#include <html/document.hpp>
#include <markdown/metadata.hpp>
#include <string>
#include <vector>

namespace freshet::markdown {

/// A part of what is said; both HTML or text.
struct product_part {
  std::string title;  ///< "" of the description
  std::string text;
};

/// The parts in the order of the state, which is what <script type=application/json> holds. The
/// product is known by its name, or by the description that JSON-LD gives. Empty if there is none.
[[nodiscard]] std::vector<product_part> read_product_state(const html::document& page,
                                                           const metadata& about);

}  // namespace freshet::markdown
