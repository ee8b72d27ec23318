// Whom a call is for: which sources its `sources`, `id` or `url` name.
#pragma once

#include <catalog/endpoint.hpp>
#include <engine/gather/gatherer.hpp>

namespace freshet::detail {

/// Whether every source is to be asked, or any one will do.
[[nodiscard]] ask_mode mode_of(catalog::operation op) noexcept;

}  // namespace freshet::detail
