// What TLS is on every connection to others: who they are is checked, and how many records a host
// may send that carry nothing of an answer is bounded. Such are those of its handshake, and what it
// may say behind that (tickets, new keys, new handshakes). OpenSSL reads on for as long as they
// come, and whoever reads sees neither another's answer nor a deadline meanwhile.
#pragma once

#include <curl/curl.h>

namespace freshet::http {

/// One after the other, before the connection counts as ended. A handshake takes about ten, and one
/// more for each 16 KiB of certificates.
inline constexpr int max_idle_records = 128;

/// Whether curl's TLS is OpenSSL's, which shows them.
[[nodiscard]] bool has_tls_records();
/// For CURLOPT_SSL_CTX_FUNCTION.
CURLcode bound_tls_records(CURL* handle, void* context, void* unused);

/// Sets all of it on a handle, by its `set(option, value)`.
template <class Set>
void set_tls(const Set& set) {
  set(CURLOPT_SSL_VERIFYPEER, 1L);
  set(CURLOPT_SSL_VERIFYHOST, 2L);
  set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (has_tls_records()) set(CURLOPT_SSL_CTX_FUNCTION, &bound_tls_records);
}

}  // namespace freshet::http
