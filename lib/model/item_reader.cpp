// Items from JSON: how the client of a remote server gets back the values that append_item wrote,
// by the same table. Sources have nothing to do with it; they read their own formats.
#include <model/item_fields.hpp>
#include <model/json.hpp>
#include <model/object_reader.hpp>

namespace freshet::model {
namespace {

/// Reads each field by its type in C++; what is null or absent says nothing.
class item_field_reader {
 public:
  explicit item_field_reader(object_reader& from) : from_(from) {}

  void operator()(auto, std::string_view key, std::string& value) { value = from_.text(key); }
  void operator()(auto, std::string_view key, std::int64_t& value) {
    value = from_.integer(key).value_or(0);
  }
  void operator()(required, std::string_view key, double& value) {
    value = from_.number(key).value_or(0);
  }
  void operator()(nullable, std::string_view key, count& value) { value = from_.integer(key); }
  void operator()(nullable, std::string_view key, std::optional<double>& value) {
    value = from_.number(key);
  }
  void operator()(nullable, std::string_view key, std::optional<bool>& value) {
    value = from_.flag(key);
  }
  void operator()(nullable, std::string_view key, std::optional<time_point>& value) {
    value = from_.time(key);
  }
  void operator()(nullable, std::string_view key, json_text& value) { value = from_.any(key); }
  void operator()(required, std::string_view key, std::vector<std::string>& value) {
    value = from_.strings(key);
  }
  template <class Part>
  void operator()(required, std::string_view key, std::vector<Part>& value) {
    for (const auto& one : from_.list(key)) {
      read_part(object_reader(one, from_.problem()), value.emplace_back());
    }
  }
  template <class Part>
  void operator()(auto, std::string_view key, Part& value) {
    read_part(from_.object(key), value);
  }

 protected:
  template <class Part>
  static void read_part(object_reader reader, Part& value) {
    each_field(value, item_field_reader(reader));
  }

  object_reader& from_;
};

/// Adds what item_common leaves to the kind of the item.
template <class Item>
class common_field_reader : public item_field_reader {
 public:
  common_field_reader(object_reader& reader, Item& value)
      : item_field_reader(reader), value_(value) {}

  void object() {}  // read_item has chosen the kind by it
  void metrics() {
    if constexpr (requires { value_.metrics; }) read_part(from_.object("metrics"), value_.metrics);
  }

 private:
  Item& value_;
};

template <class Item>
item read_as(object_reader& from) {
  Item to;
  item_common& shared = to;
  each_field(shared, common_field_reader(from, to));
  each_field(to, item_field_reader(from));
  if (to.id.empty()) from.fail("id", "a string with characters");
  return to;
}

struct kind {
  std::string_view object;
  item (*read)(object_reader&);
};

constexpr kind kinds[] = {
#define FRESHET_ITEM(name, doc) {#name, read_as<name>},
#include <freshet/item_fields.def>
};

}  // namespace

result<item> read_item(const boost::json::value& from) {
  std::string problem;
  object_reader reader(from, problem);
  const auto object = reader.text("object");
  for (const auto& one : kinds) {
    if (one.object != object) continue;
    auto read = one.read(reader);
    if (!problem.empty()) {
      return error(errc::source_error, "an item of the answer is unreadable: " + problem);
    }
    return read;
  }
  return error(errc::source_error, "an item of the answer is of no known kind");
}

}  // namespace freshet::model
