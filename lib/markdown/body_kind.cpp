// Types that servers send, and what browsers make of wrong ones.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/media_type.hpp>
#include <base/unicode.hpp>
#include <markdown/body_kind.hpp>
#include <markdown/tree/tree.hpp>

namespace freshet::markdown {
namespace {

/// How much is looked at.
constexpr std::size_t sniffed_bytes = 1024;

/// How bodies begin that are no text, whatever their type says.
constexpr std::array<std::string_view, 7> signatures = {
    "%PDF-", "PK\x03\x04", "\x89PNG", "GIF8", "\xFF\xD8\xFF", "\x1F\x8B", "\x7F\x45LF"};

struct data_type {
  std::string_view type, language;
};

constexpr std::array<data_type, 19> data_types = {{
    {"application/json", "json"},
    {"text/json", "json"},
    {"application/x-ndjson", "json"},
    {"application/jsonl", "json"},
    {"application/json5", "json5"},
    {"application/xml", "xml"},
    {"text/xml", "xml"},
    {"application/xml-dtd", "xml"},
    {"application/javascript", "javascript"},
    {"application/x-javascript", "javascript"},
    {"application/ecmascript", "javascript"},
    {"text/javascript", "javascript"},
    {"text/css", "css"},
    {"application/yaml", "yaml"},
    {"application/x-yaml", "yaml"},
    {"application/toml", "toml"},
    {"application/sql", "sql"},
    {"application/graphql", "graphql"},
    {"application/x-sh", "sh"},
}};

/// Of application/atom+xml and the like: what stands behind the "+".
constexpr std::array<data_type, 3> suffixes = {
    {{"+json", "json"}, {"+xml", "xml"}, {"+yaml", "yaml"}}};

const data_type* data_type_of(std::string_view type) {
  const auto is_it = [&](const data_type& one) { return one.type == type; };
  if (const auto* const found = std::ranges::find_if(data_types, is_it); found != data_types.end())
    return found;
  if (!type.starts_with("application/")) return nullptr;
  const auto ends_it = [&](const data_type& one) { return type.ends_with(one.type); };
  const auto* const found = std::ranges::find_if(suffixes, ends_it);
  return found == suffixes.end() ? nullptr : found;
}

bool is_html(std::string_view type) {
  return type == "text/html" || type == "application/xhtml+xml";
}

/// More than one in thirty-two of its first bytes is none of text: of packed ones it is one in ten.
/// A page may have a few, which browsers leave out.
bool is_full_of_controls(std::string_view head, std::string_view content_type) {
  if (base::to_lower_ascii(content_type).find("utf-16") != std::string::npos) return false;
  const auto controls = std::ranges::count_if(head, [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r' &&
           c != '\f' && c != '\x1B';
  });
  return static_cast<std::size_t>(controls) > 1 + head.size() / 32;
}

bool is_binary(std::string_view body, std::string_view type, std::string_view content_type) {
  const auto head = body.substr(0, sniffed_bytes);
  if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF")) return false;
  if (std::ranges::any_of(signatures, [&](auto one) { return head.starts_with(one); })) return true;
  if (is_html(type)) return is_full_of_controls(head, content_type);
  return head.find('\0') != std::string_view::npos;
}

bool looks_like_html(std::string_view body) {
  const auto head = base::to_lower_ascii(body.substr(0, sniffed_bytes));
  constexpr std::array<std::string_view, 10> beginnings = {
      "<!doctype html", "<html", "<head", "<body", "<title", "<div", "<p>", "<p ", "<h1", "<meta"};
  return contains_any(head, beginnings);
}

/// By its first element.
bool is_xhtml(std::string_view xml) {
  constexpr std::string_view root = "<html";
  const auto head = xml.substr(0, sniffed_bytes);
  for (auto at = head.find('<'); at != std::string_view::npos; at = head.find('<', at + 1)) {
    const auto element = head.substr(at);
    if (element.size() > 1 && base::is_letter(element[1])) return element.starts_with(root);
  }
  return false;
}

}  // namespace

body_kind kind_of(std::string_view body, std::string_view content_type, std::string_view url) {
  const auto type = base::media_type_of(content_type);
  if (is_binary(body, type, content_type)) return body_kind::unknown;
  if (is_html(type)) return body_kind::html;
  if (type == "text/markdown" || type == "text/x-markdown") return body_kind::markdown;
  if (type.empty() || type == "application/octet-stream" || type == "text/plain") {
    if (type != "text/plain" && looks_like_html(body)) return body_kind::html;
    const bool is_named_so = url.ends_with(".md") || url.ends_with(".markdown");
    return type == "text/plain" && is_named_so ? body_kind::markdown : body_kind::plain;
  }
  if (const auto* const data = data_type_of(type)) {
    return data->language == "xml" && is_xhtml(body) ? body_kind::html : body_kind::data;
  }
  return type.starts_with("text/") ? body_kind::plain : body_kind::unknown;
}

std::string_view language_of(std::string_view content_type) {
  const auto* const found = data_type_of(base::media_type_of(content_type));
  return found == nullptr ? std::string_view{} : found->language;
}

}  // namespace freshet::markdown
