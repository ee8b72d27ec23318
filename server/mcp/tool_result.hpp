// What a call's answer looks like to a model: the result of `tools/call`, with the bytes that every
// other door gives, the credits it took, and a word on whose text it is.
#pragma once

#include <boost/json/value.hpp>
#include <freshet/response.hpp>
#include <server/mcp/request_context.hpp>
#include <string>

namespace freshet::server::mcp {

/// The envelope or the problem; null if it is not JSON.
[[nodiscard]] boost::json::value parsed(const response& answered);
/// `data.markdown` of a document's envelope; null for others.
[[nodiscard]] const boost::json::string* markdown_of(const boost::json::value& envelope);
/// "code: detail", and when to try again.
[[nodiscard]] std::string problem_text(const boost::json::value& problem);

/// The whole message. `tool`: its row of `tools/list`; `read`: parsed(answered).
[[nodiscard]] std::string tool_result_text(const request_context& context,
                                           const boost::json::object& tool,
                                           const response& answered,
                                           const boost::json::value& read);
/// What a result says of a call beside its content: "freshet/request_id", "freshet/credits_used",
/// and "freshet/credits_remaining" for a caller that is metered.
[[nodiscard]] boost::json::object call_meta(const response& answered);

}  // namespace freshet::server::mcp
