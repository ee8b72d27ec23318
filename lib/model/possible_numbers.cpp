// By the table of items' keys: a count is whatever has a count's type.
#include <cmath>
#include <model/item_fields.hpp>
#include <model/possible_numbers.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace freshet::model {
namespace {

class number_visitor {
 public:
  void operator()(auto, std::string_view key, count& number) const {
    if (number && *number < 0 && key != "score") number.reset();
  }
  void operator()(auto, std::string_view key, std::optional<double>& number) const {
    constexpr double longest_s = 1e9;
    const double most = key == "duration_s" ? longest_s : 1.0;
    // Written so that NaN is neither.
    if (number && !(*number >= 0.0 && *number <= most)) number.reset();
  }
  template <class Part>
  void operator()(auto, std::string_view, std::vector<Part>& parts) const {
    if constexpr (requires(Part & part) { each_field(part, *this); }) {
      for (auto& one : parts) each_field(one, *this);
    }
  }
  template <class Value>
  void operator()(auto, std::string_view, Value&) const {}
  void object() const {}
  void metrics() const {}
};

}  // namespace

void drop_impossible_numbers(item& any) {
  visit_fields(any, number_visitor());
  std::visit(
      [](auto& one) {
        if constexpr (requires { one.metrics; }) each_field(one.metrics, number_visitor());
      },
      any);
}

}  // namespace freshet::model
