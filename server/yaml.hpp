// A JSON document as YAML 1.2 in block style, for people who read it.
#pragma once

#include <boost/json/value.hpp>
#include <string>

namespace freshet::server {

/// The same data: every string is quoted as in JSON, which YAML reads alike, unless it is plainly a
/// word. Recursive: for documents of our own, whose depth is known. Thread-safe.
[[nodiscard]] std::string yaml_of(const boost::json::value& document);

}  // namespace freshet::server
