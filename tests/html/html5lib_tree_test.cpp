// The HTML standard's own tests of tree construction (html5lib-tests), scripting off.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <html/document.hpp>
#include <iostream>
#include <string>
#include <support/shared.hpp>
#include <vector>

using namespace freshet;

namespace {

struct tree_case {
  std::string data, context, expected;
  bool scripting_on = false;
};

/// The cases of a .dat file.
std::vector<tree_case> read_tree_cases(const std::string& text) {
  std::vector<tree_case> cases;
  std::string* into = nullptr;
  std::string ignored;
  std::size_t at = 0;
  while (at < text.size()) {
    const auto end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const bool ends_file = end == text.size();
    at = end + 1;
    if (line == "#data") {
      cases.emplace_back();
      into = &cases.back().data;
    } else if (line == "#errors" || line == "#new-errors") {
      into = &ignored;
    } else if (line == "#document-fragment") {
      into = &cases.back().context;
    } else if (line == "#document") {
      into = &cases.back().expected;
    } else if (line == "#script-on") {
      cases.back().scripting_on = true;
    } else if (line != "#script-off" && into != nullptr && !(line.empty() && ends_file)) {
      *into += line + '\n';
    }
  }
  for (auto& one : cases) {
    if (!one.data.empty()) one.data.pop_back();
    if (!one.context.empty()) one.context.pop_back();
    while (one.expected.ends_with("\n\n")) one.expected.pop_back();
  }
  return cases;
}

std::string space_name(html::element_space space) {
  if (space == html::element_space::svg) return "svg ";
  return space == html::element_space::math ? "math " : "";
}

/// "xlink:href" in SVG and MathML is an attribute with a namespace, which the tests write with a
/// space.
std::string attribute_name(const html::node& node, std::string_view name) {
  if (node.space == html::element_space::html) return std::string(name);
  for (const std::string_view known :
       {"xlink:actuate", "xlink:arcrole", "xlink:href", "xlink:role", "xlink:show", "xlink:title",
        "xlink:type", "xml:lang", "xml:space", "xmlns:xlink"}) {
    if (name != known) continue;
    std::string out(name);
    out[out.find(':')] = ' ';
    return out;
  }
  return name == "xmlns" ? "xmlns xmlns" : std::string(name);
}

void print_node(const html::document& page, html::node_id id, const std::string& indent,
                std::string& out) {
  const auto& one = page.at(id);
  switch (one.type) {
    case html::node_type::doctype: {
      out += indent + "<!DOCTYPE " + std::string(one.name);
      if (page.has_attribute(id, "public") || page.has_attribute(id, "system")) {
        out += " \"" + std::string(page.attribute_of(id, "public")) + "\" \"" +
               std::string(page.attribute_of(id, "system")) + "\"";
      }
      out += ">\n";
      break;
    }
    case html::node_type::text:
      out += indent + "\"" + std::string(one.text) + "\"\n";
      break;
    case html::node_type::comment:
      out += indent + "<!-- " + std::string(one.text) + " -->\n";
      break;
    case html::node_type::element: {
      out += indent + "<" + space_name(one.space) + std::string(one.name) + ">\n";
      std::vector<std::string> attributes;
      for (std::uint32_t i = 0; i < one.attribute_count; ++i) {
        const auto& each = page.attributes_begin(id)[i];
        attributes.push_back(attribute_name(one, each.name) + "=\"" + std::string(each.value) +
                             "\"");
      }
      std::sort(attributes.begin(), attributes.end());
      for (const auto& each : attributes) out += indent + "  " + each + "\n";
      break;
    }
    case html::node_type::document:
      break;
  }
}

std::string print_tree(const html::document& page, html::node_id root) {
  std::string out;
  std::vector<std::string> indents(page.size());
  indents[root] = "| ";
  const auto below = [&](html::node_id id) {
    std::string deeper = indents[id] + "  ";
    if (page.is_element(id, html::tag_id::template_) &&
        page.at(id).space == html::element_space::html) {
      deeper += "  ";
    }
    return deeper;
  };
  for (auto at = page.next_in_order(root, root); at != html::none;
       at = page.next_in_order(at, root)) {
    const auto parent = page.at(at).parent;
    indents[at] = parent == root ? "| " : below(parent);
    print_node(page, at, indents[at], out);
    if (page.is_element(at, html::tag_id::template_) &&
        page.at(at).space == html::element_space::html) {
      out += indents[at] + "  content\n";
    }
  }
  return out;
}

std::string tree_of(const tree_case& one) {
  if (one.context.empty()) {
    const auto page = html::parse(one.data, nullptr, html::raw_text_end::standard);
    return print_tree(page, html::document::root());
  }
  auto space = html::element_space::html;
  std::string_view context = one.context;
  if (context.starts_with("svg ")) space = html::element_space::svg;
  if (context.starts_with("math ")) space = html::element_space::math;
  if (space != html::element_space::html) context.remove_prefix(context.find(' ') + 1);
  const auto page = html::parse_fragment(one.data, context, space);
  return print_tree(page, page.at(html::document::root()).first_child);
}

/// What every page promises to who walks over it.
void check_order(const html::document& page) {
  auto expected = html::document::root();
  bool in_order = true;
  for (auto at = page.root(); at != html::none; at = page.next_in_order(at, page.root())) {
    in_order = in_order && at == expected++;
  }
  CHECK(in_order);
  CHECK(expected == page.size());
}

}  // namespace

TEST_CASE("html5lib: tree construction, scripting off") {
  const std::string folder = "corpora/html5lib-tests/tree-construction";
  if (!test::shared_has(folder)) return;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(test::shared_dir() / folder)) {
    if (entry.path().extension() == ".dat") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::size_t passed = 0, all = 0, scripted = 0;
  for (const auto& file : files) {
    for (const auto& one : read_tree_cases(test::read_file(file))) {
      if (one.scripting_on) {
        ++scripted;
        continue;
      }
      ++all;
      const std::string made = tree_of(one);
      if (made == one.expected) ++passed;
      INFO(file.filename() << " " << one.context << "\n" << one.data);
      CHECK(made == one.expected);
      check_order(html::parse(one.data));
    }
  }
  std::cout << "html5lib tree construction: " << passed << " of " << all << " (" << scripted
            << " with scripting on left out)\n";
  CHECK(all > 1500);
}
