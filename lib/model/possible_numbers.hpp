// Numbers that a source may say and that cannot be: they are null, as what it does not say.
#pragma once

#include <freshet/item.hpp>

namespace freshet::model {

/// Makes null what is no such number: counts and sizes below zero (some say -1 for what they hide),
/// but for scores, which may be; durations below zero or beyond thirty years; shares beyond 0 to 1;
/// and what is no number at all.
void drop_impossible_numbers(item& any);

}  // namespace freshet::model
