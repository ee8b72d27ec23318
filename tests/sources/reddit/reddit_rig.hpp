// What both of Reddit's tests share: the source with an application's secret, and without one.
#pragma once

#include <sources/source_rig.hpp>

namespace freshet::sources::reddit {

inline const settings keyless{"https://oauth.reddit.com", {}};
inline const settings keyed{"https://oauth.reddit.com",
                            {{"client_id", "id"}, {"client_secret", "s"}}};
inline const test::source_rig rig("reddit", keyed);
inline const test::source_rig keyless_rig("reddit", keyless);

}  // namespace freshet::sources::reddit
