// What stands in the place of libpq (libpq.cpp) and of PostgreSQL's network: connections of a
// machine to the one database, over a network that is slow, cut, or gone.
#pragma once

#include <simulation/virtual_time.hpp>

namespace freshet::simulation {

[[nodiscard]] bool is_connection(int file) noexcept;
/// Whether something has come over it, or its end.
[[nodiscard]] bool can_be_read(int file) noexcept;
[[nodiscard]] std::vector<int> connections();
/// Who polls it looks again.
void wake_polls(int file);

}  // namespace freshet::simulation
