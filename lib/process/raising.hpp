// The walls of one child, made ready before the fork and raised after it, where nothing may be
// allocated: either by our own calls, or by bubblewrap, which then starts the program.
#pragma once

#include <freshet/result.hpp>
#include <process/call_filter.hpp>
#include <process/child.hpp>
#include <process/walls.hpp>
#include <string>

namespace freshet::process {

/// What a child needs to wall itself in.
struct raising {
  const walls* behind = nullptr;
  std::string folder;  ///< where it works
  std::string user_map, group_map, mount_options;
  file_descriptor rules;  ///< of Landlock
  call_filter filter;
};

/// Error: internal, invalid_configuration (the program's folder would show what is hidden).
[[nodiscard]] result<raising> make_raising(const command_line& command);

/// The command by which bubblewrap starts it. It finds its filter as `filter_number`.
[[nodiscard]] command_line through_bubblewrap(const command_line& command, int filter_number);

/// What came of raising walls: `problem` is an errno, 0 if all stand that were asked for.
struct raised_walls {
  bool own_tmp = false;
  int problem = 0;
};

/// Namespaces, the user, the folder, Landlock; in the child, which is in its folder afterwards.
[[nodiscard]] raised_walls raise_walls(const raising& with) noexcept;
/// The last of them, right before the program begins: it may refuse what we call ourselves.
[[nodiscard]] int filter_calls(const raising& with) noexcept;

}  // namespace freshet::process
