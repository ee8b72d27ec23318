// What of a page's requests is asked of the network, and what of the answers is told to the page.
// Pure functions over the protocol's values; nothing is fetched here.
#pragma once

#include <base/json.hpp>
#include <http/message.hpp>
#include <string>
#include <string_view>

namespace freshet::browser {

/// A request that the browser has paused (Fetch.requestPaused).
struct paused_request {
  std::string id;
  std::string url, method;
  std::string kind;   ///< of the protocol: "Document", "Script", "XHR"
  std::string frame;  ///< whose it is
  http::headers headers;
  std::string body;
  bool body_is_known = true;  ///< false: there is one that the browser does not show
};

[[nodiscard]] paused_request read_paused(const base::json::value& parameters);

/// Why a request is failed without being asked.
enum class refusal {
  none,
  needless,  ///< text does not need it: images, media, fonts, frames of other sites, beacons
  scheme,    ///< neither http nor https
  writing,   ///< a method that changes something
};

/// The frame that a page is shown in, and the origin of what it shows.
struct main_frame {
  std::string_view id, origin;
};
/// Documents of other frames are needless unless they are of the same origin.
[[nodiscard]] refusal judge(const paused_request& paused, const main_frame& main);

/// The request as our own stack is to ask it: without redirects, which go back to the browser; with
/// the robots and the owner of the page.
[[nodiscard]] http::request to_http(const paused_request& paused, const http::request& page);

/// The parameters of Fetch.fulfillRequest.
[[nodiscard]] std::string fulfilment(std::string_view id, const http::response& response);
/// The parameters of Fetch.failRequest. `reason` is one of the protocol's.
[[nodiscard]] std::string failing(std::string_view id, std::string_view reason);

/// Whether an answer is a page that a browser can run.
[[nodiscard]] bool is_page(const http::response& answer);

}  // namespace freshet::browser
