// A value is its digits behind "x", "-" is null, and a parameter that was bound as bytes has "b".
#include <base/digest.hpp>
#include <simulation/recording.hpp>
#include <utility>

namespace freshet::simulation {

void recording::asked(const request& made, moment now) {
  if (out_ == nullptr) return;
  *out_ << "ask " << made.pid << ' ' << now / millisecond << ' '
        << (made.is_prepared ? "run" : "query") << " x";
  const char* between = "";
  for (const statement& one : made.all)
    *out_ << base::hex(std::exchange(between, "; ")) << base::hex(one.text);
  if (made.is_prepared)
    for (std::size_t i = 0; i < made.all[0].given.size(); ++i) {
      const column& value = made.all[0].given[i];
      *out_ << ' ' << (value ? (made.all[0].is_bytes[i] ? "b" : "x") + base::hex(*value) : "-");
    }
  *out_ << '\n';
}

void recording::answered(const request& what) {
  if (out_ == nullptr) return;
  *out_ << "answer " << what.pid << '\n';
  for (const answer& one : what.answers) {
    *out_ << "result x" << base::hex(one.state) << ' ' << one.rows.size() << '\n';
    for (const columns& row : one.rows) {
      *out_ << "row";
      for (const column& value : row) *out_ << ' ' << (value ? "x" + base::hex(*value) : "-");
      *out_ << '\n';
    }
  }
  *out_ << "answered " << what.pid << '\n';
}

void recording::told(const std::string& notice) {
  if (out_ != nullptr) *out_ << "told x" << base::hex(notice) << '\n';
}

}  // namespace freshet::simulation
