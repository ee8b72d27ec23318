// By the table of items' keys: all times but ours, which says when an item was fetched.
#include <model/item_fields.hpp>
#include <model/possible_times.hpp>
#include <optional>
#include <string_view>

namespace freshet::model {
namespace {

class time_visitor {
 public:
  explicit time_visitor(time_point latest) : latest_(latest) {}

  void operator()(auto, std::string_view key, std::optional<time_point>& time) const {
    if (time && *time > latest_ && key != "fetched_at") time.reset();
  }
  template <class Value>
  void operator()(auto, std::string_view, Value&) const {}
  void object() const {}
  void metrics() const {}

 private:
  time_point latest_;
};

}  // namespace

void drop_future_times(item& any, time_point now) {
  visit_fields(any, time_visitor(now + most_ahead));
}

}  // namespace freshet::model
