// The choice by fitted probabilities: which blocks of a page are content, so that the F1 to expect
// is highest; and what that F1 is. It works on marks only.
#pragma once

#include <markdown/blocks/model.hpp>
#include <markdown/blocks/report.hpp>
#include <markdown/choice/content.hpp>

namespace freshet::markdown {

/// Chooses among the blocks of a page; `article` is what the choice by signals keeps of it, a byte
/// a node. Drops what is not content, and says how sure that is.
[[nodiscard]] content choose_blocks(page_tree& tree, const block_evidence& evidence,
                                    const block_model& model, choice_report* report);

}  // namespace freshet::markdown
