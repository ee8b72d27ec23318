// One connection, and the parts that use it, each with its scripts.
#include "engine/sharing/source_sharing.hpp"

#include <new>

namespace freshet::detail {
namespace {

/// How often it is looked for what others have told, and for a memory that was lost: what one knows
/// all know within a second.
constexpr std::chrono::milliseconds hearing_pause{300};

enum script : std::size_t {
  tell_suspension,
  hear_suspensions,
  take_quota,
  find_answer,
  keep_answer,
  leave_answer
};

}  // namespace

source_sharing::source_sharing(sharing_options options, suspensions& suspended,
                               const base::clock& clock)
    : link_(speaking(options)),
      suspensions_(link_, {tell_suspension, hear_suspensions}, options.prefix + "suspensions",
                   suspended, clock),
      quotas_(link_, take_quota, options.prefix + "quota", std::move(options.servers)),
      answers_(link_, {find_answer, keep_answer, leave_answer},
               options.prefix + "answer:", options.answer_bytes),
      secret_(std::move(options.secret)) {}

redis::link_options source_sharing::speaking(const sharing_options& options) {
  redis::link_options made;
  made.where = options.where;
  made.timeout = options.timeout;
  made.scripts = {shared_suspensions::tell_script, shared_suspensions::hear_script,
                  shared_quotas::script,           shared_answers::find_script,
                  shared_answers::keep_script,     shared_answers::leave_script};
  made.changed = [this, told = options.changed](bool is_here, std::string_view why) {
    if (told) told(is_here, why);
    if (!is_here) return;
    try {
      suspensions_.hear();
      quotas_.look(true);
    } catch (const std::bad_alloc&) {
      // The next tick hears, and the next request counts.
    }
  };
  made.tick = [this] {
    suspensions_.hear();
    quotas_.look(false);
    return true;
  };
  made.tick_pause = hearing_pause;
  return made;
}

void source_sharing::stop() {
  quotas_.leave();
  link_.stop();
}

source_sharing::figures source_sharing::count() const {
  return {link_.count(), suspensions_.heard(), answers_.kept()};
}

}  // namespace freshet::detail
