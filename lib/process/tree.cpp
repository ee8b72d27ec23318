// Reads /proc/<pid>/stat for parents and /proc/<pid>/status for memory. A process that ends while
// it is looked at is left out.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <base/number.hpp>
#include <filesystem>
#include <map>
#include <optional>
#include <process/file_descriptor.hpp>
#include <process/tree.hpp>
#include <string>
#include <string_view>

namespace freshet::process {
namespace {

constexpr std::size_t most_of_a_file = 8192;  ///< the two files are far shorter

std::string read_start(const std::string& path) {
  const file_descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return {};
  std::string text(most_of_a_file, '\0');
  const ssize_t got = read(file.number(), text.data(), text.size());
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

template <class Number>
std::optional<Number> leading_number(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return base::take_number<Number>(text);
}

std::optional<pid_t> parent_of(pid_t process) {
  const std::string text = read_start("/proc/" + std::to_string(process) + "/stat");
  // "pid (name) state parent ...": the name may hold anything, also parentheses.
  const auto name_end = text.rfind(')');
  if (name_end == std::string::npos || name_end + 4 > text.size()) return std::nullopt;
  return leading_number<pid_t>(std::string_view(text).substr(name_end + 4));
}

std::uint64_t memory_of(pid_t process) {
  const std::string text = read_start("/proc/" + std::to_string(process) + "/status");
  std::uint64_t kilobytes = 0;
  for (const std::string_view field : {"\nRssAnon:", "\nRssShmem:"}) {
    const auto at = text.find(field);
    if (at == std::string::npos) continue;
    kilobytes +=
        leading_number<std::uint64_t>(std::string_view(text).substr(at + field.size())).value_or(0);
  }
  return kilobytes * 1024;
}

std::multimap<pid_t, pid_t> children_by_parent() {
  std::multimap<pid_t, pid_t> found;
  std::error_code failed;
  for (std::filesystem::directory_iterator entry("/proc", failed), end;
       !failed && entry != end && found.size() < max_processes; entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    if (name.empty() || name.front() < '0' || name.front() > '9') continue;
    const auto process = leading_number<pid_t>(name);
    if (!process) continue;
    if (const auto parent = parent_of(*process)) found.emplace(*parent, *process);
  }
  return found;
}

}  // namespace

std::vector<pid_t> descendants(pid_t root) {
  const auto children = children_by_parent();
  std::vector<pid_t> found;
  const auto add_children_of = [&](pid_t parent) {
    const auto [begin, end] = children.equal_range(parent);
    for (auto each = begin; each != end; ++each) found.push_back(each->second);
  };
  add_children_of(root);
  // Bounded by the number of processes: each has one parent.
  for (std::size_t i = 0; i < found.size() && found.size() < max_processes; ++i) {
    add_children_of(found[i]);
  }
  return found;
}

std::uint64_t resident_bytes(pid_t root) {
  std::uint64_t total = memory_of(root);
  for (const pid_t each : descendants(root)) total += memory_of(each);
  return total;
}

}  // namespace freshet::process
