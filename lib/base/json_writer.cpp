// The writer, with a stack of its own for what is open.
#include <base/json_writer.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <charconv>
#include <cmath>
#include <vector>

namespace freshet::base {
namespace {

/// An array or an object of which `next` members are written.
struct open_value {
  const json::value* of;
  std::size_t next = 0;
};

void append_double(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  char digits[32];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void append_scalar(std::string& out, const json::value& value) {
  if (const auto* text = value.if_string()) {
    append_json_string(out, *text);
  } else if (const auto* whole = value.if_int64()) {
    out += std::to_string(*whole);
  } else if (const auto* large = value.if_uint64()) {
    out += std::to_string(*large);
  } else if (const auto* real = value.if_double()) {
    append_double(out, *real);
  } else if (const auto* flag = value.if_bool()) {
    out += *flag ? "true" : "false";
  } else {
    out += "null";
  }
}

/// The next member of what is open, its name written; null behind the last one.
const json::value* next_member(std::string& out, open_value& value) {
  const auto* list = value.of->if_array();
  const auto* object = value.of->if_object();
  const auto size = list != nullptr ? list->size() : object->size();
  if (value.next == size) {
    out += list != nullptr ? ']' : '}';
    return nullptr;
  }
  if (value.next > 0) out += ',';
  const auto at = value.next++;
  if (list != nullptr) return &(*list)[at];
  const auto& member = *(object->begin() + static_cast<std::ptrdiff_t>(at));
  append_json_string(out, {member.key().data(), member.key().size()});
  out += ':';
  return &member.value();
}

}  // namespace

void append_json(std::string& out, const json::value& value) {
  std::vector<open_value> open;
  const json::value* at = &value;
  while (at != nullptr || !open.empty()) {
    if (at != nullptr && (at->is_array() || at->is_object())) {
      out += at->is_array() ? '[' : '{';
      open.push_back({at});
    } else if (at != nullptr) {
      append_scalar(out, *at);
    }
    if (open.empty()) return;
    at = next_member(out, open.back());
    if (at == nullptr) open.pop_back();
  }
}

}  // namespace freshet::base
