// The functions that stand around curl's. Those that only give back are not among them: they
// cannot fail.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <atomic>
#include <cstdarg>
#include <support/failing_curl.hpp>

// Each name is given to the linker (--wrap): a call of NAME comes to __wrap_NAME, and NAME itself
// is __real_NAME.
// NOLINTBEGIN(bugprone-reserved-identifier)

namespace {

std::atomic<int> countdown = 0;
std::atomic<const char*> failed = "";

bool strikes(const char* name) {
  int left = countdown;
  while (left > 0 && !countdown.compare_exchange_weak(left, left - 1)) {
  }
  if (left == 1) failed = name;
  return left == 1;
}

/// Options take a long, a pointer or a curl_off_t: each is a word here.
static_assert(sizeof(long) == sizeof(void*) && sizeof(curl_off_t) == sizeof(void*));

}  // namespace

namespace freshet::test {

void fail_curl_call(int n) {
  failed = "";
  countdown = n;
}

std::string failed_curl_call() {
  countdown = 0;
  return failed.load();
}

}  // namespace freshet::test

#define FRESHET_FAILING(result, name, refusal, parameters, arguments) \
  extern "C" result __real_##name parameters;                         \
  extern "C" result __wrap_##name parameters;                         \
  result __wrap_##name parameters { return strikes(#name) ? refusal : __real_##name arguments; }

/// The same with one word more behind the three dots.
#define FRESHET_FAILING_SETTER(result, name, refusal, handle, option)    \
  extern "C" result __real_##name(handle, option, ...);                  \
  extern "C" result __wrap_##name(handle, option, ...);                  \
  result __wrap_##name(handle whose, option which, ...) {                \
    std::va_list list;                                                   \
    va_start(list, which);                                               \
    void* const word = va_arg(list, void*);                              \
    va_end(list);                                                        \
    return strikes(#name) ? refusal : __real_##name(whose, which, word); \
  }

FRESHET_FAILING_SETTER(CURLcode, curl_easy_setopt, CURLE_OUT_OF_MEMORY, CURL*, CURLoption)
FRESHET_FAILING_SETTER(CURLcode, curl_easy_getinfo, CURLE_OUT_OF_MEMORY, CURL*, CURLINFO)
FRESHET_FAILING_SETTER(CURLMcode, curl_multi_setopt, CURLM_OUT_OF_MEMORY, CURLM*, CURLMoption)
FRESHET_FAILING(CURLcode, curl_global_init, CURLE_FAILED_INIT, (long flags), (flags))
FRESHET_FAILING(CURL*, curl_easy_init, nullptr, (void), ())
FRESHET_FAILING(CURLcode, curl_easy_perform, CURLE_OUT_OF_MEMORY, (CURL * easy), (easy))
FRESHET_FAILING(CURLcode, curl_easy_send, CURLE_SEND_ERROR,
                (CURL * easy, const void* bytes, std::size_t size, std::size_t* sent),
                (easy, bytes, size, sent))
FRESHET_FAILING(CURLcode, curl_easy_recv, CURLE_RECV_ERROR,
                (CURL * easy, void* into, std::size_t size, std::size_t* got),
                (easy, into, size, got))
FRESHET_FAILING(curl_slist*, curl_slist_append, nullptr, (curl_slist * list, const char* text),
                (list, text))
FRESHET_FAILING(CURLM*, curl_multi_init, nullptr, (void), ())
FRESHET_FAILING(CURLMcode, curl_multi_add_handle, CURLM_OUT_OF_MEMORY, (CURLM * multi, CURL* easy),
                (multi, easy))
FRESHET_FAILING(CURLMcode, curl_multi_remove_handle, CURLM_INTERNAL_ERROR,
                (CURLM * multi, CURL* easy), (multi, easy))
FRESHET_FAILING(CURLMcode, curl_multi_perform, CURLM_OUT_OF_MEMORY, (CURLM * multi, int* running),
                (multi, running))
FRESHET_FAILING(CURLMcode, curl_multi_poll, CURLM_OUT_OF_MEMORY,
                (CURLM * multi, curl_waitfd* more, unsigned count, int wait_ms, int* ready),
                (multi, more, count, wait_ms, ready))
FRESHET_FAILING(CURLMcode, curl_multi_wakeup, CURLM_WAKEUP_FAILURE, (CURLM * multi), (multi))
FRESHET_FAILING(CURLU*, curl_url, nullptr, (void), ())
FRESHET_FAILING(CURLUcode, curl_url_set, CURLUE_OUT_OF_MEMORY,
                (CURLU * parts, CURLUPart part, const char* text, unsigned flags),
                (parts, part, text, flags))
FRESHET_FAILING(CURLUcode, curl_url_get, CURLUE_OUT_OF_MEMORY,
                (const CURLU* parts, CURLUPart part, char** text, unsigned flags),
                (parts, part, text, flags))
// NOLINTEND(bugprone-reserved-identifier)
