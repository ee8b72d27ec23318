// What is offered to every client, the same to each.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <functional>
#include <map>
#include <memory>
#include <server/mcp/late_document.hpp>
#include <server/mcp/request_context.hpp>
#include <string>
#include <string_view>

namespace freshet::server::mcp {

/// Asks the client something that belongs to a request; `then` gets what it answers, or a message
/// that has `failed`. Only revisions with a handshake have it.
using asker = std::function<void(std::string_view method, boost::json::object params,
                                 std::function<void(const message&)> then)>;

/// Requests that are answered beside those of the endpoints: a profile's. Thread-safe.
class addition {
 public:
  virtual ~addition() = default;
  [[nodiscard]] virtual bool takes(const message& asked, const request_meta& how) const = 0;
  virtual void answer(std::shared_ptr<const request_context> context, const asker& ask) const = 0;
};

/// Built once, then only read.
struct offers {
  boost::json::array tools;  ///< as `tools/list` has them
  boost::json::array resources, resource_templates, prompts;
  boost::json::object capabilities;            ///< of revisions with a handshake
  boost::json::object stateless_capabilities;  ///< of the one without
  std::string sources;                         ///< the table of sources, markdown
  std::shared_ptr<late_document> description;  ///< the OpenAPI document; null: there is none
  /// The answers of methods that only list the above, and those to reading its documents, by URI.
  std::map<std::string, prepared_result, std::less<>> lists, documents;
  std::shared_ptr<const addition> added;  ///< null: nothing
};
/// `tools`: engine::tools().
[[nodiscard]] offers make_offers(const std::string& tools, std::string sources,
                                 std::function<std::string()> description);

/// Writes down what is prepared, when nothing of it changes any more.
void prepare(offers& all);

/// The row of a tool; null if there is none of this name.
[[nodiscard]] const boost::json::object* find_tool(const offers& offers, std::string_view name);

}  // namespace freshet::server::mcp
