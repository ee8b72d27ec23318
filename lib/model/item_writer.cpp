// Items to JSON, key by key in the order of the table, include/freshet/item_fields.def. It judges
// nothing: what a source read is written.
#include <model/item_fields.hpp>
#include <model/json.hpp>
#include <model/object_writer.hpp>
#include <variant>

namespace freshet::model {
namespace {

/// What the writer of objects writes as it is, and what has fields of its own.
template <class Value>
concept plain = requires(object_writer& writer, const Value& value) {
  writer.value("", value);
};
template <class Value>
concept composite = !plain<Value>;

/// Whether a part says nothing. Only parts of texts can be null.
class empty_part_check {
 public:
  void operator()(nullable, std::string_view, const std::string& value) {
    empty_ = empty_ && value.empty();
  }
  [[nodiscard]] bool empty() const noexcept { return empty_; }

 private:
  bool empty_ = true;
};

/// Counts the bytes of texts, and what lists take beside.
class text_counter {
 public:
  explicit text_counter(std::size_t& sum) : sum_(sum) {}

  void operator()(auto, std::string_view, const std::string& value) { sum_ += value.size(); }
  void operator()(auto, std::string_view, const json_text& value) { sum_ += value.text.size(); }
  template <class Part>
  void operator()(auto, std::string_view, const std::vector<Part>& value) {
    sum_ += value.size() * sizeof(Part);
    for (const Part& each : value) count(each);
  }
  void operator()(auto, std::string_view, const plain auto&) {}
  void operator()(auto, std::string_view, const composite auto& value) { count(value); }
  void object() {}
  void metrics() {}

 private:
  template <class Part>
  void count(const Part& part) {
    if constexpr (std::same_as<Part, std::string>) {
      sum_ += part.size();
    } else if constexpr (std::is_class_v<Part>) {
      each_field(part, *this);
    }
  }

  std::size_t& sum_;
};

/// Writes each field by its type in C++ and by whether it can be null.
class item_field_writer {
 public:
  explicit item_field_writer(object_writer& to) : to_(to) {}

  void operator()(nullable, std::string_view key, const std::string& value) {
    to_.text(key, value);
  }
  void operator()(nullable, std::string_view key, std::int64_t value) {
    to_.integer(key, value == 0 ? std::nullopt : count(value));
  }
  void operator()(auto, std::string_view key, const plain auto& value) { to_.value(key, value); }
  template <composite Part>
  void operator()(required, std::string_view key, const std::vector<Part>& value) {
    to_.objects(key, value, write_part<Part>);
  }
  template <composite Part>
  void operator()(required, std::string_view key, const Part& value) {
    to_.object(key, [&](object_writer& inside) { write_part(inside, value); });
  }
  template <composite Part>
  void operator()(nullable, std::string_view key, const Part& value) {
    empty_part_check check;
    each_field(value, check);
    if (check.empty()) {
      to_.text(key, {});
    } else {
      (*this)(required{}, key, value);
    }
  }

 protected:
  template <class Part>
  static void write_part(object_writer& writer, const Part& value) {
    each_field(value, item_field_writer(writer));
  }

  object_writer& to_;
};

/// Adds what item_common leaves to the kind of the item. Metrics are {} for those that nobody
/// counts.
template <class Item>
class common_field_writer : public item_field_writer {
 public:
  common_field_writer(object_writer& writer, const char* object, const Item& value)
      : item_field_writer(writer), object_(object), value_(value) {}

  void object() { to_.exact("object", object_); }
  void metrics() {
    to_.object("metrics", [&](object_writer& inside) {
      if constexpr (requires { value_.metrics; }) write_part(inside, value_.metrics);
    });
  }

 private:
  const char* object_;
  const Item& value_;
};

}  // namespace

void append_item(std::string& out, const item& item, std::span<const std::string> fields) {
  object_writer to(out, fields);
  std::visit(
      [&](const auto& one) {
        const item_common& shared = one;
        each_field(shared, common_field_writer(to, object_name(item), one));
        each_field(one, item_field_writer(to));
      },
      item);
  to.close();
}

std::size_t text_size(const item& of) {
  std::size_t sum = 0;
  visit_fields(of, text_counter(sum));
  return sum;
}

std::string items_json(std::span<const item> items, std::span<const std::string> fields) {
  std::string out = "[";
  for (const auto& one : items) {
    if (out.size() > 1) out += ',';
    append_item(out, one, fields);
  }
  out += ']';
  return out;
}

}  // namespace freshet::model
