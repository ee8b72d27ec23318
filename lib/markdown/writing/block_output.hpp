// Blocks one after the other: blank lines between them, the prefixes of quotes and list items
// before their lines, and where each top-level block begins.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::markdown {

class block_output {
 public:
  /// Opens a quote ("> ", "> ") or an item ("- ", "  "): what stands before its first line and
  /// before the others. One that gets no block leaves no trace.
  void open(std::string first, std::string others);
  void close();
  /// The next block follows without a blank line.
  void set_tight() noexcept { tight_ = true; }
  void add(std::string_view block);

  [[nodiscard]] std::size_t depth() const noexcept { return containers_.size(); }
  [[nodiscard]] const std::string& text() const noexcept { return out_; }
  [[nodiscard]] std::string take() { return std::move(out_); }
  [[nodiscard]] std::vector<std::size_t> take_starts() { return std::move(starts_); }

 private:
  struct container {
    std::string first, others;
    bool used = false;
  };

  std::string out_;
  std::vector<container> containers_;
  std::vector<std::size_t> starts_;
  std::size_t common_ = 0;  ///< containers that the last block and the next one share
  bool tight_ = false;
};

}  // namespace freshet::markdown
