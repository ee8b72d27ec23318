// What a source may be asked that no caller has chosen: the questions of the daily check, and of
// the engine where accounts have trouble with a source. Nothing is asked here.
#pragma once

#include <sources/source.hpp>
#include <vector>

namespace freshet::detail {

/// What has to be known to ask an endpoint something. Those before `handle` need nothing.
enum class question_kind { words, nothing, hashtag, community, handle, native, none };

/// By what the endpoint wants to know first.
[[nodiscard]] question_kind kind_of_question(catalog::operation op);
/// One that asks for nothing yet.
[[nodiscard]] sources::call empty_question(catalog::operation op, time_point now);
/// Those that need nothing to be known; empty where there are none.
[[nodiscard]] std::vector<sources::call> neutral_questions(catalog::operation op, time_point now);

}  // namespace freshet::detail
