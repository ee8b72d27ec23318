// Joining blocks. The only place that writes newlines between them.
#include <algorithm>
#include <markdown/writing/block_output.hpp>

namespace freshet::markdown {

void block_output::open(std::string first, std::string others) {
  containers_.push_back({std::move(first), std::move(others)});
}

void block_output::close() {
  containers_.pop_back();
  common_ = std::min(common_, containers_.size());
}

void block_output::add(std::string_view block) {
  if (block.empty()) return;
  const bool new_top = common_ == 0 || containers_.empty() || !containers_[0].used;
  if (!out_.empty()) {
    out_ += '\n';
    if (!tight_) {
      std::string blank;
      for (std::size_t i = 0; i < common_; ++i) blank += containers_[i].others;
      while (!blank.empty() && blank.back() == ' ') blank.pop_back();
      out_ += blank;
      out_ += '\n';
    }
  }
  if (new_top && !tight_) starts_.push_back(out_.size());
  tight_ = false;
  for (auto& one : containers_) {
    out_ += one.used ? one.others : one.first;
    one.used = true;
  }
  common_ = containers_.size();
  while (true) {
    const auto end = block.find('\n');
    out_ += block.substr(0, end);
    if (end == std::string_view::npos) break;
    block.remove_prefix(end + 1);
    out_ += '\n';
    const std::size_t line = out_.size();
    for (const auto& one : containers_) out_ += one.others;
    const bool blank = block.empty() || block[0] == '\n';
    while (blank && out_.size() > line && out_.back() == ' ') out_.pop_back();
  }
}

}  // namespace freshet::markdown
