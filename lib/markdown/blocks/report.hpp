// What a choice was made of, for who asks: `freshet markdown --explain`, and the program that fits
// the table, which reads the features here that it then fits.
#pragma once

#include <markdown/blocks/features.hpp>
#include <string>
#include <vector>

namespace freshet::markdown {

struct choice_report {
  struct block {
    std::string text;   ///< whole
    std::string place;  ///< "main > div.story > p"
    double probability = 0;
    bool kept = false;
  };
  std::string type;    ///< what the page was taken for
  std::string reason;  ///< which choice was taken, and why
  double confidence = 0;
  std::vector<block> blocks;
  // As they were read: for fitting.
  block_list list;
  std::vector<feature_row> rows;
  std::vector<std::vector<std::uint32_t>> words;  ///< a box: the hashes of its names
  std::vector<std::uint32_t> groups;              ///< of a block: any block that it is decided with
};

/// A table for people: what was chosen and why, then a line for each block.
[[nodiscard]] std::string explain(const choice_report& report);

}  // namespace freshet::markdown
