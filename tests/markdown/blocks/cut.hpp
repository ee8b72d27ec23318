// The body of a page, cut into blocks.
#pragma once

#include <markdown/blocks/blocks.hpp>
#include <markdown/visibility/visibility.hpp>
#include <string>
#include <vector>

namespace freshet::markdown {

struct cut {
  explicit cut(const std::string& body) : page(html::parse("<body>" + body)), tree(page) {
    drop_invisible(tree);
    list = list_blocks(tree);
  }
  [[nodiscard]] std::vector<std::string> texts() const {
    std::vector<std::string> said;
    for (const auto& one : list.blocks) {
      std::string text;
      for (auto id = one.first; id <= one.last; ++id) text += tree.text_at(id);
      said.push_back(text);
    }
    return said;
  }
  html::document page;
  page_tree tree;
  block_list list;
};

}  // namespace freshet::markdown
