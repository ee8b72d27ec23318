// What the database of the simulation was asked and what it said, in its order, a line each: for
// test_stand_in.py, which asks PostgreSQL the same and holds the answers side by side. All texts
// are in hexadecimal digits.
#pragma once

#include <ostream>
#include <simulation/database.hpp>

namespace freshet::simulation {

class recording {
 public:
  /// Null: nothing is written.
  explicit recording(std::ostream* out) : out_(out) {}

  void opened(std::int64_t pid) { say("open", pid); }
  void ended(std::int64_t pid) { say("end", pid); }
  void blocked(std::int64_t pid) { say("blocked", pid); }
  void let_go(std::int64_t pid) { say("let_go", pid); }
  void asked(const request& made, moment now);
  void answered(const request& what);
  void told(const std::string& notice);

 private:
  void say(const char* event, std::int64_t pid) {
    if (out_ != nullptr) *out_ << event << ' ' << pid << '\n';
  }
  std::ostream* out_;
};

}  // namespace freshet::simulation
