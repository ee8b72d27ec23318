// JSON to Python objects, for answers: what json.loads makes of them, in about half of its time,
// because an answer's keys are few and kept. It reads no number but as Python itself reads it, and
// refuses what is deeper nested than any answer.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>
#include <unordered_map>

namespace freshet_python {

/// Reads answers. Every call, the destructor's too, is made with the GIL held.
class json_reader {
 public:
  /// Throws pybind11::value_error for what is no JSON, pybind11::error_already_set when out of
  /// memory.
  pybind11::object read(std::string_view text);

  /// The string object of a key; new or kept.
  pybind11::object key(std::string_view name);

 private:
  struct by_text {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>()(text);
    }
  };
  std::unordered_map<std::string, pybind11::object, by_text, std::equal_to<>> keys_;
};

}  // namespace freshet_python
