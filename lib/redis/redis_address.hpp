// Where a Redis is, as `storage.redis` says it. It opens nothing.
#pragma once

#include <freshet/result.hpp>
#include <string>
#include <string_view>

namespace freshet::redis {

struct redis_address {
  std::string host = {};
  int port = 6379;
  std::string user = {}, password = {};  ///< "" for none
  int database = 0;
};

/// Reads "redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]". Error: invalid_configuration, with
/// nothing of the address in its words: a password may stand in it.
[[nodiscard]] result<redis_address> read_address(std::string_view url);
/// The address without user and password, for people.
[[nodiscard]] std::string shown(const redis_address& where);

}  // namespace freshet::redis
