// Lets one call of curl's functions fail, as it does without memory: programs that link
// failing_curl.cpp have their calls of curl go through it (--wrap). The callers' own code runs.
#pragma once

#include <string>

namespace freshet::test {

/// The n-th call from now on fails without doing anything.
void fail_curl_call(int n);

/// The function whose call has failed since, "" for none; nothing fails from now on.
[[nodiscard]] std::string failed_curl_call();

}  // namespace freshet::test
