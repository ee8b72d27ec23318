// Records are counted by OpenSSL's own callback for what is sent and received. That cannot end a
// connection; it can say that the other side has, which OpenSSL looks at before it heeds the next
// record.
#include <openssl/ssl.h>

#include <cstdint>
#include <http/tls_options.hpp>
#include <string_view>

namespace freshet::http {
namespace {

/// The place of the count in a connection: a number, and nothing to be freed.
int place_of_count() {
  static const int place = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return place;
}

bool is_of_answer(int shown, std::uint8_t type, const SSL* session) {
  if (type != SSL3_RT_APPLICATION_DATA) return false;
  // Sealed by TLS 1.3 everything looks so from outside.
  return shown == SSL3_RT_INNER_CONTENT_TYPE || SSL_version(session) < TLS1_3_VERSION;
}

void count_record(int is_sent, int, int shown, const void* bytes, std::size_t size, SSL* session,
                  void*) {
  if (is_sent != 0 || size == 0) return;
  if (shown != SSL3_RT_HEADER && shown != SSL3_RT_INNER_CONTENT_TYPE) return;
  auto count = reinterpret_cast<std::intptr_t>(SSL_get_ex_data(session, place_of_count()));
  if (is_of_answer(shown, *static_cast<const std::uint8_t*>(bytes), session)) {
    count = 0;
  } else if (shown == SSL3_RT_HEADER) {
    ++count;
  }
  const bool is_kept =
      SSL_set_ex_data(session, place_of_count(), reinterpret_cast<void*>(count)) == 1;
  if (is_kept && count <= max_idle_records) return;
  SSL_set_shutdown(session, SSL_get_shutdown(session) | SSL_RECEIVED_SHUTDOWN);
}

}  // namespace

bool has_tls_records() {
  static const bool has = [] {
    const char* const used = curl_version_info(CURLVERSION_NOW)->ssl_version;
    return used != nullptr && std::string_view(used).starts_with("OpenSSL/3") &&
           place_of_count() >= 0;
  }();
  return has;
}

CURLcode bound_tls_records(CURL*, void* context, void*) {
  SSL_CTX_set_msg_callback(static_cast<SSL_CTX*>(context), count_record);
  return CURLE_OK;
}

}  // namespace freshet::http
