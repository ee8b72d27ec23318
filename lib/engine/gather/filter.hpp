// The promises that hold for every source: what a source does not keep by itself is kept here.
#pragma once

#include <sources/source.hpp>

namespace freshet::detail {

/// Whether an item may be given: q and since, as far as the source leaves them to us, and sites.
[[nodiscard]] bool keeps_promises(const sources::call& asked, const sources::capability& capability,
                                  const item& candidate);

/// Whether a newest-first source has gone past `since`, so that no later page can hold anything.
[[nodiscard]] bool past_since(const sources::call& asked, const sources::capability& capability,
                              const sources::listing& page);

}  // namespace freshet::detail
