// Lets one call of SQLite's functions fail, as it does without memory or with a broken disk:
// programs that link failing_sqlite.cpp have their calls of SQLite go through it (--wrap). The
// callers' own code runs.
#pragma once

#include <functional>
#include <string>

namespace freshet::test {

/// The n-th call from now on, by whatever thread, fails without doing anything.
void fail_sqlite_call(int n);

/// The function whose call has failed since, "" for none; nothing fails from now on.
[[nodiscard]] std::string failed_sqlite_call();

/// Whoever is about to take a step of a statement with these words does `first` before it; "" for
/// nobody. Not while somebody does.
void before_sqlite_step(const std::string& words, std::function<void()> first = nullptr);

}  // namespace freshet::test
