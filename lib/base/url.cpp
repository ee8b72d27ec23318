// URLs put together again, and their queries. What a URL means is decided in url_parser.cpp, which
// addresses are the same page in canonical_url.cpp.
#include <base/percent.hpp>
#include <base/url.hpp>

namespace freshet::base {

std::string url::text() const {
  std::string out = scheme + ':';
  if (has_authority || !host.empty()) {
    out += "//";
    if (!username.empty() || !password.empty()) {
      out += username;
      if (!password.empty()) out.append(":").append(password);
      out += '@';
    }
    out += host;
    if (!port.empty()) out.append(":").append(port);
  } else if (!opaque && path.starts_with("//")) {
    out += "/.";  // or the path would be read as an authority
  }
  out += path;
  if (has_query || !query.empty()) out.append("?").append(query);
  if (has_fragment || !fragment.empty()) out.append("#").append(fragment);
  return out;
}

std::string url::origin() const {
  std::string out = scheme + "://" + host;
  if (!port.empty()) out.append(":").append(port);
  return out;
}

std::string build_query(const std::vector<std::pair<std::string_view, std::string>>& parameters) {
  std::string out;
  for (const auto& [name, value] : parameters) {
    if (!out.empty()) out += '&';
    append_encoded(out, name, percent_set::all_but_unreserved);
    out += '=';
    append_encoded(out, value, percent_set::all_but_unreserved);
  }
  return out;
}

std::optional<std::string> query_parameter(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(pair.size() < query.size() ? pair.size() + 1 : pair.size());
    const std::size_t equals = pair.find('=');
    if (percent_decode(pair.substr(0, equals), true) != name) continue;
    if (equals == std::string_view::npos) return std::string();
    return percent_decode(pair.substr(equals + 1), true);
  }
  return std::nullopt;
}

std::string join_path(std::string_view base, std::string_view path) {
  if (path.empty()) return std::string(base);
  while (base.ends_with('/')) base.remove_suffix(1);
  while (path.starts_with('/')) path.remove_prefix(1);
  std::string out(base);
  return out.append("/").append(path);
}

}  // namespace freshet::base
