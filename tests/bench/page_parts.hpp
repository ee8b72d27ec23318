// Short pages out of long ones, for tests/bench/fit: of the element that holds the text a beginning
// and an end stay, around it everything or nothing; or all that stands around it, and no text. Few
// pages of the corpora are short, and none is without content.
#pragma once

#include <cstddef>
#include <html/document.hpp>
#include <markdown/blocks/blocks.hpp>
#include <string>
#include <vector>

namespace freshet::bench {

enum class part_kind { with_surroundings, text_alone, surroundings_alone };

struct part_shape {
  double words = 0;  ///< of the element with the text, about
  part_kind kind = part_kind::with_surroundings;
};

/// Shapes in turns: of the nth page.
[[nodiscard]] part_shape shape_of(std::size_t page) noexcept;

/// What has to go (page_options::exclude) so that a short page is left; empty: there is no such.
[[nodiscard]] std::vector<std::string> cuts_for(const html::document& page,
                                                const markdown::block_list& list,
                                                const part_shape& shape);

}  // namespace freshet::bench
