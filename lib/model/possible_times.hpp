// Times that a source may say and that cannot be yet: they are null, as what it does not say, so
// that nothing that has no time stands before what is new.
#pragma once

#include <freshet/item.hpp>

namespace freshet::model {

/// How far ahead of ours a clock may be, or a time that was written without its zone.
inline constexpr std::chrono::hours most_ahead{24};

/// Makes null when an item was made, edited or changed, where that is more than most_ahead behind
/// `now`.
void drop_future_times(item& any, time_point now);

}  // namespace freshet::model
