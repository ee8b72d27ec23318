// The words of a text without a copy of any: for who looks at them once.
#pragma once

#include <string_view>
#include <vector>

namespace freshet::base {

/// words(), as views into `folded`, in the place of what `words` held.
void divide_words(std::string_view folded, std::vector<std::string_view>& words);

}  // namespace freshet::base
