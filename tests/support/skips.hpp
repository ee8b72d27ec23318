// How a C++ test case says that it cannot run here. Each skip is counted and told at the end of its
// program; it never passes as a success that nobody sees. Only for the thread of the test itself.
#pragma once

#include <string>

namespace freshet::test {

/// Whether what a test looked for could have been there: a file of a folder that is here can, a
/// program that nobody has installed cannot.
enum class reach { beyond, within };

/// The running case is skipped, in whole or in part, because of `reason`; it returns or goes on
/// without. Where FRESHET_NO_SKIPS is set, and for what is within reach where CI is, the case
/// fails.
void skip(const std::string& reason, reach missing = reach::beyond);

}  // namespace freshet::test
