// The request log as the configuration has it.
#pragma once

#include <engine/runtime/environment.hpp>
#include <freshet/config.hpp>
#include <freshet/result.hpp>
#include <memory>
#include <requests/request_log.hpp>

namespace freshet::detail {

/// Null where no calls are to be kept, or the database is in memory. Error: invalid_configuration.
[[nodiscard]] result<std::unique_ptr<requests::request_log>> open_request_log(
    const config& config, const log_function& log, std::shared_ptr<postgres::read_replica> replica);

}  // namespace freshet::detail
