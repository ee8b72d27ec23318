// The rows of recordings.def, as the tests ask for them.
#pragma once

#include <freshet/error.hpp>
#include <span>
#include <string>
#include <string_view>

namespace freshet::test {

/// A recording that no capability reads to items, and what it is instead.
struct recording_row {
  std::string_view source, endpoint;
  enum class kind { unused, own, elsewhere, refused, nothing } is;
  std::string_view why;
  errc code{};

  [[nodiscard]] bool is_of(std::string_view name) const {
    if (endpoint.ends_with('*')) return name.starts_with(endpoint.substr(0, endpoint.size() - 1));
    return name == endpoint;
  }
};

/// A folder of recordings that is not called as its source.
struct recording_folder {
  std::string_view folder, source;
};

inline std::span<const recording_row> recording_rows() {
  static constexpr recording_row rows[] = {
#define FOLDER(folder, source)
#define UNUSED(source, endpoint, why) {#source, endpoint, recording_row::kind::unused, why},
#define OWN(source, endpoint, why) {#source, endpoint, recording_row::kind::own, why},
#define ELSEWHERE(source, endpoint, why) {#source, endpoint, recording_row::kind::elsewhere, why},
#define REFUSED(source, endpoint, code) \
  {#source, endpoint, recording_row::kind::refused, "", errc::code},
#define NOTHING(source, endpoint, why) {#source, endpoint, recording_row::kind::nothing, why},
#include <sources/recordings.def>
#undef FOLDER
#undef UNUSED
#undef OWN
#undef ELSEWHERE
#undef REFUSED
#undef NOTHING
  };
  return rows;
}

inline std::span<const recording_folder> recording_folders() {
  static constexpr recording_folder rows[] = {
#define FOLDER(folder, source) {folder, #source},
#define UNUSED(source, endpoint, why)
#define OWN(source, endpoint, why)
#define ELSEWHERE(source, endpoint, why)
#define REFUSED(source, endpoint, code)
#define NOTHING(source, endpoint, why)
#include <sources/recordings.def>
#undef FOLDER
#undef UNUSED
#undef OWN
#undef ELSEWHERE
#undef REFUSED
#undef NOTHING
  };
  return rows;
}

/// The row of a recording; null if it must be read.
inline const recording_row* find_recording_row(std::string_view source, std::string_view endpoint) {
  for (const auto& row : recording_rows()) {
    if (row.source == source && row.is_of(endpoint)) return &row;
  }
  return nullptr;
}

/// Whether the source's own test does not read a recording: no operation of ours asks for what it
/// holds, or another test reads it.
inline bool is_unused(std::string_view source, std::string_view endpoint) {
  const auto* row = find_recording_row(source, endpoint);
  return row != nullptr &&
         (row->is == recording_row::kind::unused || row->is == recording_row::kind::elsewhere);
}

}  // namespace freshet::test
