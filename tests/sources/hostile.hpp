// Answers broken in the ways in which upstreams break, all of them deterministic: cut at many
// places, a member's value of another type or huge, bytes that are no UTF-8, nesting deep.
#pragma once

#include <base/json.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::test {

/// Breaks an answer in one of the ways in which upstreams break: cut, bytes changed, types swapped,
/// numbers huge, ill-formed UTF-8, nesting deep.
inline std::string mutated(const std::string& body, std::mt19937& random) {
  std::string out = body;
  const auto at = [&](std::size_t size) {
    return std::uniform_int_distribution<std::size_t>(0, size == 0 ? 0 : size - 1)(random);
  };
  const auto swap_all = [&out](std::string_view from, std::string_view to, std::size_t most) {
    std::size_t start = 0;
    for (std::size_t n = 0; n < most; ++n) {
      start = out.find(from, start);
      if (start == std::string::npos) break;
      out.replace(start, from.size(), to);
      start += to.size();
    }
  };
  static const char* const values[] = {"null",
                                       "true",
                                       "-1",
                                       "1e308",
                                       "18446744073709551615",
                                       "\"\"",
                                       "[]",
                                       "{}",
                                       "\"\\ud83d\\ude00\"",
                                       "[[[[]]]]",
                                       "9007199254740993.5",
                                       "\"\\u0000x\""};
  switch (at(8)) {
    case 0:
      out.resize(at(out.size()));
      break;
    case 1:
      for (int i = 0; i < 8 && !out.empty(); ++i) out[at(out.size())] = static_cast<char>(random());
      break;
    case 2: {  // the value behind some key becomes another type
      for (int i = 0; i < 12; ++i) {
        const auto colon = out.find("\":", at(out.size()));
        if (colon == std::string::npos) continue;
        auto start = colon + 2;
        while (start < out.size() && out[start] == ' ') ++start;
        const auto end = out.find_first_of(",}]", start);
        if (end != std::string::npos) out.replace(start, end - start, values[at(12)]);
      }
      break;
    }
    case 3:
      swap_all("\"", "\xC3\x28\"", 1 + at(20));
      break;
    case 4: {
      const auto where = out.find("\":", at(out.size()));
      if (where != std::string::npos)
        out.insert(where + 2, std::string(5000, '[') + std::string(5000, ']') + ",\"x\":");
      break;
    }
    case 5:
      swap_all("http", "javascript:http", 1 + at(50));
      break;
    case 6:
      swap_all("[{", "{\"0\":[{", 1 + at(3));
      break;
    default:
      swap_all(":{", ":[", 1 + at(3));
      break;
  }
  return out;
}

/// The body cut at `places` points, the first and the last bytes among them.
inline std::vector<std::string> cut_bodies(const std::string& body, std::size_t places) {
  std::set<std::size_t> ends = {0, 1, 2};
  for (std::size_t i = 0; i < places; ++i) ends.insert(body.size() * i / places);
  for (std::size_t i = 1; i < 4; ++i) ends.insert(body.size() > i ? body.size() - i : 0);
  std::vector<std::string> out;
  for (const auto end : ends) {
    if (end < body.size()) out.push_back(body.substr(0, end));
  }
  return out;
}

/// Elements of an array that are broken; the later ones are like them.
inline constexpr std::size_t broken_elements = 4;

/// Leaves the first elements of every array, so that a broken copy is read in little time.
inline void shorten_arrays(boost::json::value& of) {
  std::vector<boost::json::value*> open = {&of};
  while (!open.empty()) {
    auto* here = open.back();
    open.pop_back();
    if (auto* object = here->if_object()) {
      for (auto& member : *object) open.push_back(&member.value());
    } else if (auto* array = here->if_array()) {
      if (array->size() > broken_elements) array->resize(broken_elements);
      for (auto& element : *array) open.push_back(&element);
    }
  }
}

/// Where the values of a JSON document stand: one place of each shape, elements of an array being
/// of one shape; at most `most`.
inline std::vector<std::string> json_places(const boost::json::value& root, std::size_t most) {
  std::vector<std::string> out;
  std::set<std::string> shapes;
  struct visit {
    const boost::json::value* value;
    std::string pointer, shape;
  };
  std::vector<visit> open = {{&root, "", ""}};
  for (std::size_t i = 0; i < open.size() && out.size() < most; ++i) {
    const auto here = open[i];
    if (!shapes.insert(here.shape).second) continue;
    out.push_back(here.pointer);
    for (const auto& member : base::object_of(*here.value)) {
      std::string key;
      for (const char c : std::string_view(member.key())) {
        key += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
      }
      open.push_back({&member.value(), here.pointer + "/" + key, here.shape + "/" + key});
    }
    std::size_t n = 0;
    for (const auto& element : base::array_of(*here.value)) {
      if (n == broken_elements) break;
      auto shape = here.shape + "/[]";
      if (!element.is_object()) shape += std::to_string(n);
      open.push_back({&element, here.pointer + "/" + std::to_string(n++), std::move(shape)});
    }
  }
  return out;
}

/// What stands where something else is expected.
inline boost::json::array wrong_values() {
  return {nullptr,
          true,
          -1,
          1e308,
          std::uint64_t{18446744073709551615u},
          9007199254740993.5,
          "",
          "99999999999999999999999",
          "-7",
          "0000-00-00T99:99:99Z",
          "javascript:alert(1)",
          "http://[::1",
          "https://bank.example:x@evil.example/",
          "a\n\tb",
          "\n\r\t \xF0\x9F\x98\x80 <b>&#0;&amp;#x110000;</b>",
          std::string(50'000, 'x'),
          boost::json::array(),
          boost::json::object(),
          boost::json::array{boost::json::array{boost::json::array()}, nullptr},
          boost::json::object{{"", 1}, {"id", boost::json::object()}}};
}

/// Puts every wrong value at every shape of place in a JSON body, one at a time, and calls
/// `each(what, body)`; not at all if the body is no JSON. `step`: only so many of the pairs of
/// place and value, in such turns that every place and every value has its share.
template <class Each>
void for_each_swap(const std::string& body, std::size_t most_places, std::size_t step,
                   Each&& each) {
  const auto parsed = base::parse_json(body);
  if (!parsed || (!parsed->is_object() && !parsed->is_array())) return;
  const auto wrong = wrong_values();
  auto changing = *parsed;
  shorten_arrays(changing);
  std::size_t turn = 0;
  for (const auto& place : json_places(changing, most_places)) {
    ++turn;
    boost::json::error_code failed;
    auto* at = changing.find_pointer(place, failed);
    if (at == nullptr) continue;
    auto before = *at;
    for (std::size_t i = turn % step; i < wrong.size(); i += step) {
      *at = wrong[i];
      each("value " + std::to_string(i) + " at '" + place + "'", boost::json::serialize(changing));
    }
    *at = std::move(before);
  }
}

}  // namespace freshet::test
