// How many servers share a book, for those who share more than that with them.
#pragma once

#include <account/accounts.hpp>

namespace freshet::account {

/// How many servers write to the book, with this one. Waits for nothing.
[[nodiscard]] int count_servers(const accounts& book) noexcept;

}  // namespace freshet::account
