// The table of sources, for the README and `freshet sources`: everything in it comes from the
// descriptors and the catalogue.
#include <catalog/endpoint.hpp>
#include <freshet/engine.hpp>
#include <freshet/guide_tables.hpp>
#include <sources/source.hpp>

namespace freshet {
namespace {

using sources::descriptor;

/// A promise, as the table calls it.
struct promise_name {
  sources::native_promise promise;
  std::string_view name;
  std::string_view parameter;  ///< the endpoint's, that asks for it; "" for none
};
constexpr promise_name promise_names[] = {
    {sources::native_words, "words", "q"},
    {sources::native_phrases, "phrases", "q"},
    {sources::native_exclusions, "exclusions", "q"},
    {sources::native_since, "since", "since"},
    {sources::newest_first, "order", ""},
};

void add(std::string& list, std::string_view one) {
  if (!list.empty()) list += ", ";
  list += one;
}

/// Its platforms: the endpoints say them, for an archive has several.
std::string platforms_of(const descriptor& of) {
  std::string out;
  for (const auto& how : of.capabilities) {
    const auto name = in_code(catalog::find_endpoint(how.op).platform);
    if (out.find(name) == std::string::npos) add(out, name);
  }
  return out;
}

/// Its endpoints, without the platform in front.
std::string served_by(const descriptor& of) {
  std::string out;
  for (const auto& how : of.capabilities) {
    const auto& endpoint = catalog::find_endpoint(how.op);
    const auto name = in_code(endpoint.path.substr(endpoint.platform.size() + 1));
    if (out.find(name) == std::string::npos) add(out, name);
  }
  return out;
}

std::string settings_of(const descriptor& of) {
  std::string out;
  for (const auto& one : of.settings) add(out, in_code(one.name));
  return out;
}

/// What it gives when nothing is configured.
std::string without_settings(const descriptor& of) {
  std::string needs;
  for (const auto& one : of.settings) {
    if (one.required) add(needs, in_code(one.name));
  }
  if (of.opt_in) add(needs, "`enabled`");
  if (of.of_archive) add(needs, "`platforms.<name>.archive`");
  const bool nowhere = of.default_base_url.empty() && of.default_instances.empty();
  if (nowhere && !of.instances_key.empty()) add(needs, in_code(of.instances_key));
  const std::string said(of.keyless);
  if (!needs.empty()) return "off: needs " + needs + (said.empty() ? "" : "; " + said);
  return said.empty() ? "all" : said;
}

/// The promises that a source keeps in its search, and those left to the filter.
void sort_promises(const descriptor& source, std::string& kept, std::string& filtered) {
  for (const auto& how : source.capabilities) {
    const auto& endpoint = catalog::find_endpoint(how.op);
    if (catalog::find_parameter(endpoint, "q") == nullptr) continue;
    for (const auto& one : promise_names) {
      if ((how.native & one.promise) != 0) {
        add(kept, one.name);
      } else if (!one.parameter.empty() &&
                 catalog::find_parameter(endpoint, one.parameter) != nullptr) {
        add(filtered, one.name);
      }
    }
    return;
  }
}

}  // namespace

std::string sources_table() {
  std::string out = table_head({"Platform", "Source", "Serves", "Without settings", "Settings",
                                "Keeps itself", "We filter"});
  for (const auto* source : sources::all_sources()) {
    std::string kept, filtered;
    sort_promises(*source, kept, filtered);
    add_table_row(out, {platforms_of(*source), in_code(source->name), served_by(*source),
                        without_settings(*source), settings_of(*source), kept, filtered});
  }
  return out;
}

}  // namespace freshet
