// The way of choosing for pages whose content is prose.
#pragma once

#include <markdown/choice/content.hpp>

namespace freshet::markdown {

/// Chooses the article of a page whose invisible parts are dropped, and drops what is not content
/// inside it. `found` is false only where there is text but none of it was chosen.
[[nodiscard]] content choose_article(page_tree& tree);

}  // namespace freshet::markdown
