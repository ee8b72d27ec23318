// How items are copied, moved and destroyed: here alone, for fourteen objects of many strings each
// would be compiled anew in every file that holds some.
#include <freshet/item.hpp>

namespace freshet {

item::item() noexcept = default;
item::item(const item&) = default;
item::item(item&&) noexcept = default;
item& item::operator=(const item&) = default;
item& item::operator=(item&&) noexcept = default;
item::~item() = default;

}  // namespace freshet
