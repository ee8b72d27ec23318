// How the service does, as JSON: for operators all of it, for everybody the sources.
#pragma once

#include <engine/runtime/core.hpp>
#include <model/object_writer.hpp>
#include <string>

namespace freshet::detail {

/// The member `hour`: what became of the calls of the last hour.
void write_hour(model::object_writer& object, const recent_calls::figures& hour);
/// A list of the sources by name: whether each is asked, and how the last hour's answers were.
void append_sources(std::string& out, const core& core, const recent_calls::figures& hour);
/// `status` for everybody: each platform with how many of its sources answer.
[[nodiscard]] std::string public_status(const core& of);

}  // namespace freshet::detail
