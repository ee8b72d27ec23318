// The sockets that curl asks for, after the guard has judged where they lead: the one place between
// a resolved name and connect().
#pragma once

#include <curl/curl.h>

#include <http/address_guard.hpp>

namespace freshet::http {

/// A socket for `address`, to which the URL's `host` led; CURL_SOCKET_BAD if the guard does not
/// allow it, which `allowed` says, or if the system has none. Closed by curl.
[[nodiscard]] curl_socket_t open_guarded_socket(const address_guard& guard,
                                                const curl_sockaddr& address, std::string_view host,
                                                bool& allowed);

}  // namespace freshet::http
