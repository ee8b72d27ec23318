// Lets one call of SQLite's functions fail, as it does without memory or with a broken disk:
// programs that link failing_sqlite.cpp have their calls of SQLite go through it (--wrap). The
// callers' own code runs.
#pragma once

#include <string>

namespace freshet::test {

/// The n-th call from now on, by whatever thread, fails without doing anything.
void fail_sqlite_call(int n);

/// The function whose call has failed since, "" for none; nothing fails from now on.
[[nodiscard]] std::string failed_sqlite_call();

}  // namespace freshet::test
