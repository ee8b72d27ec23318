// The batch form of `freshet markdown`: folders of saved pages to a folder of markdown, on several
// threads. It reads and writes files and reports progress; the library does the rest.
#pragma once

#include <cstddef>
#include <freshet/engine.hpp>
#include <server/commands/commands.hpp>
#include <string>
#include <vector>

namespace freshet::server {

/// What a batch is asked for.
struct markdown_batch {
  std::vector<std::string> sources;  ///< files, and folders that are searched for pages
  std::string output;                ///< the folder that gets the results; made if missing
  markdown_options how;  ///< `url`: the address of the folder; a page's path in it is added
  bool as_json = false;  ///< whole documents instead of their markdown
  std::size_t threads = 1;
};

/// Converts them all; a page that fails is named on standard error and the others go on. A result
/// appears under its name only when it is whole. Returns an exit status: exit_failed if any failed.
[[nodiscard]] int run_batch(const invocation& line, const markdown_batch& batch);

}  // namespace freshet::server
