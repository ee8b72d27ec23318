// The cases of other converters that we answer differently on purpose: differences.txt holds one a
// line, "corpus/case: reason".
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <support/shared.hpp>
#include <vector>

namespace freshet::test {

class differences {
 public:
  explicit differences(const std::string& corpus) : corpus_(corpus + "/") {
    std::ifstream in(source_dir() / "tests/markdown/differences.txt");
    for (std::string line; std::getline(in, line);) {
      const auto end = line.find(": ");
      if (!line.starts_with(corpus_) || end == std::string::npos) continue;
      reasons_[line.substr(corpus_.size(), end - corpus_.size())] = line.substr(end + 2);
    }
  }

  /// Fails for a case that differs without being listed, and for one that is listed and does not.
  void check(const std::string& name, const std::string& wanted, const std::string& got) {
    ++cases_;
    const auto listed = reasons_.find(name);
    if (listed != reasons_.end()) {
      INFO(corpus_ << name << " is listed in differences.txt, but passes");
      CHECK(wanted != got);
      seen_.push_back(name);
      return;
    }
    if (wanted == got) {
      ++passed_;
      return;
    }
    INFO(corpus_ << name << "\n" << first_difference(wanted, got));
    CHECK(false);
  }

  /// To be called at the end: every listed case exists.
  void finish() {
    for (const auto& [name, reason] : reasons_) {
      INFO(corpus_ << name << " is listed in differences.txt, but there is no such case");
      CHECK(std::find(seen_.begin(), seen_.end(), name) != seen_.end());
    }
    std::cout << corpus_ << " " << passed_ << " of " << cases_ << " cases as expected, "
              << reasons_.size() << " differ on purpose\n";
  }

 private:
  static std::string first_difference(const std::string& wanted, const std::string& got) {
    constexpr std::size_t around = 60, shown = 240;
    std::size_t at = 0;
    while (at < wanted.size() && at < got.size() && wanted[at] == got[at]) ++at;
    const auto from = at < around ? 0 : at - around;
    return "wanted: ..." + wanted.substr(from, shown) + "\n   got: ..." + got.substr(from, shown);
  }

  std::string corpus_;
  std::map<std::string, std::string> reasons_;
  std::vector<std::string> seen_;
  std::size_t cases_ = 0, passed_ = 0;
};

}  // namespace freshet::test
