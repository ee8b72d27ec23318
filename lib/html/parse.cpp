// parse(): bounds, then gumbo, then its tree copied into our arena, iteratively. The only file that
// knows which parser is used.
#include <gumbo.h>

#include <base/unicode.hpp>
#include <cstddef>
#include <html/bounds.hpp>
#include <html/document.hpp>
#include <memory>
#include <new>
#include <vector>

namespace freshet::html {

namespace {

/// Where gumbo's tree lives: taken from blocks, given back all at once. Gumbo frees its tree
/// recursively, node by node; this makes that unnecessary.
class bump_memory {
 public:
  static void* allocate(void* self, std::size_t size) {
    return static_cast<bump_memory*>(self)->take(size);
  }
  static void release(void*, void*) {}

 private:
  static constexpr std::size_t block_bytes = 256 * 1024;
  static constexpr std::size_t alignment = alignof(std::max_align_t);

  void* take(std::size_t size) {
    size = (size + alignment - 1) / alignment * alignment;
    if (size > left_) {
      if (size > block_bytes / 4) {
        blocks_.push_back(std::make_unique<std::byte[]>(size));
        return blocks_.back().get();
      }
      blocks_.push_back(std::make_unique<std::byte[]>(block_bytes));
      free_ = blocks_.back().get();
      left_ = block_bytes;
    }
    std::byte* const taken = free_;
    free_ += size;
    left_ -= size;
    return taken;
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* free_ = nullptr;
  std::size_t left_ = 0;
};

/// Copies gumbo's tree. One object a page.
class copier {
 public:
  explicit copier(document& into) : into_(into) {}
  void copy(const GumboNode& root);

 private:
  struct pending {
    const GumboNode* from;
    node_id parent;
    std::size_t depth;
  };

  node_id add(const GumboNode& from, node_id parent);
  node_id add_element(const GumboElement& from, node_id parent);
  std::string_view element_name(const GumboElement& from);
  void add_attributes(const GumboElement& from, node_id to);

  document& into_;
  std::vector<pending> stack_;
};

element_space space_of(GumboNamespaceEnum from) noexcept {
  if (from == GUMBO_NAMESPACE_SVG) return element_space::svg;
  return from == GUMBO_NAMESPACE_MATHML ? element_space::math : element_space::html;
}

std::string_view copier::element_name(const GumboElement& from) {
  if (from.tag != GUMBO_TAG_UNKNOWN) return gumbo_normalized_tagname(from.tag);  // static storage
  GumboStringPiece written = from.original_tag;
  gumbo_tag_from_original_text(&written);
  return into_.keep(base::to_lower_ascii({written.data, written.length}));
}

void copier::add_attributes(const GumboElement& from, node_id to) {
  std::string prefixed;
  for (unsigned i = 0; i < from.attributes.length; ++i) {
    const auto& one = *static_cast<const GumboAttribute*>(from.attributes.data[i]);
    std::string_view name = one.name;
    const char* prefix = nullptr;
    if (one.attr_namespace == GUMBO_ATTR_NAMESPACE_XLINK) prefix = "xlink:";
    if (one.attr_namespace == GUMBO_ATTR_NAMESPACE_XML) prefix = "xml:";
    if (prefix != nullptr) {
      prefixed = prefix;
      prefixed += name;
      name = prefixed;
    }
    into_.append_attribute(to, name, one.value);
  }
}

node_id copier::add_element(const GumboElement& from, node_id parent) {
  node fresh;
  fresh.type = node_type::element;
  fresh.space = space_of(from.tag_namespace);
  fresh.name = element_name(from);
  fresh.tag = tag_of(fresh.name);
  const node_id id = into_.append(parent, fresh);
  add_attributes(from, id);
  return id;
}

node_id copier::add(const GumboNode& from, node_id parent) {
  switch (from.type) {
    case GUMBO_NODE_ELEMENT:
    case GUMBO_NODE_TEMPLATE:
      return add_element(from.v.element, parent);
    case GUMBO_NODE_TEXT:
    case GUMBO_NODE_CDATA:
    case GUMBO_NODE_WHITESPACE:
    case GUMBO_NODE_COMMENT: {
      node fresh;
      fresh.type = from.type == GUMBO_NODE_COMMENT ? node_type::comment : node_type::text;
      fresh.text = into_.keep(from.v.text.text);
      return into_.append(parent, fresh);
    }
    case GUMBO_NODE_DOCUMENT:
      break;
  }
  return none;
}

void copier::copy(const GumboNode& root) {
  const auto push_children = [&](const GumboVector& children, node_id parent, std::size_t depth) {
    for (unsigned i = children.length; i > 0; --i) {
      stack_.push_back({static_cast<const GumboNode*>(children.data[i - 1]), parent, depth});
    }
  };
  push_children(root.v.document.children, document::root(), 1);
  bool cut = false;
  while (!stack_.empty()) {
    const pending one = stack_.back();
    stack_.pop_back();
    if (into_.size() >= max_nodes) {
      cut = true;
      break;
    }
    const node_id id = add(*one.from, one.parent);
    if (one.from->type != GUMBO_NODE_ELEMENT && one.from->type != GUMBO_NODE_TEMPLATE) continue;
    // Beyond the limit children become siblings: their text is kept.
    const bool deep = one.depth >= max_depth;
    push_children(one.from->v.element.children, deep ? one.parent : id, one.depth + (deep ? 0 : 1));
  }
  if (cut) into_.warnings.emplace_back("the page has too many elements; its end was dropped");
}

}  // namespace

document parse(std::string_view utf8) {
  document made;
  bounded_input bounded;
  bound_input(utf8, bounded);
  made.warnings = std::move(bounded.warnings);

  bump_memory memory;
  GumboOptions options = kGumboDefaultOptions;
  options.allocator = bump_memory::allocate;
  options.deallocator = bump_memory::release;
  options.userdata = &memory;
  options.max_errors = 0;
  const GumboOutput* const output =
      gumbo_parse_with_options(&options, bounded.text.data(), bounded.text.size());
  if (output == nullptr || output->document == nullptr) return made;
  const GumboDocument& document_node = output->document->v.document;
  if (document_node.has_doctype) {
    node doctype;
    doctype.type = node_type::doctype;
    doctype.name = made.keep(document_node.name);
    made.append(document::root(), doctype);
  }
  copier(made).copy(*output->document);
  return made;
}

}  // namespace freshet::html
