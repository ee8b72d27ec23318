// One walk through an answer. A key that is null says nothing of its type; one that some recorded
// objects lack may be missing today.
#include "engine/checkup/json_shape.hpp"

#include <string_view>

namespace freshet::detail {
namespace {

constexpr int max_depth = 8;
constexpr std::size_t max_paths = 2000;
/// Keys that are data themselves, as in a map by language or by number.
constexpr std::size_t longest_name = 64;

enum type_bit : unsigned { text = 1, number = 2, flag = 4, object = 8, list = 16 };

unsigned type_of(const base::json::value& of) {
  if (of.is_string()) return text;
  if (of.is_number()) return number;
  if (of.is_bool()) return flag;
  if (of.is_object()) return object;
  if (of.is_array()) return list;
  return 0;
}

std::string names_of(unsigned types) {
  constexpr const char* names[] = {"a text", "a number", "true or false", "an object", "a list"};
  std::string all;
  for (unsigned i = 0; i < std::size(names); ++i) {
    if ((types & (1U << i)) != 0) all += (all.empty() ? "" : " or ") + std::string(names[i]);
  }
  return all;
}

/// Of "a.b" it is "a", of "a[]" it is "a"; "" of what stands at the top.
std::string_view parent_of(std::string_view path) {
  if (path.ends_with("[]")) return path.substr(0, path.size() - 2);
  const auto dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

}  // namespace

void json_shape::add(const base::json::value& answer) { walk(answer, "", 0); }

void json_shape::walk(const base::json::value& node, const std::string& path, int depth) {
  if (depth > max_depth || (paths_.size() >= max_paths && !paths_.contains(path))) return;
  auto& here = paths_[path];
  ++here.times;
  here.types |= type_of(node);
  if (const auto* fields = node.if_object()) {
    for (const auto& [name, value] : *fields) {
      if (name.size() > longest_name) continue;
      walk(value, path.empty() ? std::string(name) : path + "." + std::string(name), depth + 1);
    }
  } else if (const auto* elements = node.if_array()) {
    for (const auto& one : *elements) walk(one, path + "[]", depth + 1);
  }
}

std::vector<std::string> json_shape::differences_from(const json_shape& recorded) const {
  std::vector<std::string> told;
  for (const auto& [path, then] : recorded.paths_) {
    if (told.size() == max_differences) break;
    const auto now = paths_.find(path);
    if (now == paths_.end()) {
      const std::string parent(parent_of(path));
      const auto before = recorded.paths_.find(parent);
      const auto today = paths_.find(parent);
      // What is missing with all that it stood in is told of once, there.
      const bool was_always = before != recorded.paths_.end() && then.times >= before->second.times;
      if (path.ends_with("[]") || !was_always || today == paths_.end() ||
          (today->second.types & object) == 0) {
        continue;
      }
      told.push_back("the key " + path + " is gone");
    } else if (then.types != 0 && now->second.types != 0 && (then.types & now->second.types) == 0) {
      told.push_back((path.empty() ? "the answer" : path) + " is " + names_of(now->second.types) +
                     ", it was " + names_of(then.types));
    }
  }
  return told;
}

}  // namespace freshet::detail
