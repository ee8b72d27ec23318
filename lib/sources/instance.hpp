// Which server of a federation is asked. Handles and ids carry the name of the server that knows a
// thing at first hand; that one is asked, and the configured one for what carries no name.
#pragma once

#include <base/url.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::sources {

/// A server of a federation. Ids are local to it.
struct instance {
  std::string base_url;
  std::string host;  ///< with a port that is not the scheme's own; in front of every native id
  bool configured = false;  ///< it is the one of the settings, so a credential may go there
};

/// What is known by a name at the instance that knows it best: a user, a status, a creator.
struct local_name {
  instance at;
  std::string name;  ///< the local part of a handle, or an id
};

/// The instance at a configured base URL.
[[nodiscard]] instance instance_at(std::string_view base_url);

/// The instance named `host`: `configured` if it is that, so that its base URL and its credential
/// are used; else https://host. Null if `host` is no host name with a dot.
[[nodiscard]] std::optional<instance> instance_named(std::string_view host,
                                                     const instance& configured);

/// Whose pace a request to an instance counts against: its source's or, where a call has named the
/// instance, its own. What one caller's host does holds up nobody else.
[[nodiscard]] std::string pace_of(const instance& asked, std::string_view source);

/// The host of an address, with a port that is not the scheme's own: "forum.example:8080".
[[nodiscard]] std::string host_with_port(const base::url& url);

/// The parts of a path, without empty ones. Views into `path`.
[[nodiscard]] std::vector<std::string_view> path_segments(std::string_view path);

}  // namespace freshet::sources
