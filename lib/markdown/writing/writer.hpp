// Chosen parts of a page to GitHub flavoured markdown. It decides how things are written, never
// which.
#pragma once

#include <base/url.hpp>
#include <freshet/item.hpp>
#include <html/document.hpp>
#include <markdown/page.hpp>
#include <markdown/tree/tree.hpp>
#include <optional>
#include <string>
#include <vector>

namespace freshet::markdown {

/// A picture whose address carries data out, with the rule that says so.
struct data_image {
  std::string_view rule;
  std::string address;
};

struct written_text {
  std::string markdown;
  std::vector<std::size_t> blocks;
  std::vector<std::string> links;  ///< absolute http(s), each once, in order
  std::vector<media> pictures;
  std::vector<data_image> data_images;  ///< no more than a report can have
};

struct writer_options {
  link_style links = link_style::inline_links;
  bool images = true;
  std::optional<base::url> base;  ///< what addresses are relative to
  bool without_data_images = false;
};

[[nodiscard]] written_text write_markdown(const page_tree& tree,
                                          const std::vector<html::node_id>& roots,
                                          const writer_options& options);

/// The text of the same parts, a line for each block.
[[nodiscard]] std::string write_text(const page_tree& tree,
                                     const std::vector<html::node_id>& roots);

}  // namespace freshet::markdown
