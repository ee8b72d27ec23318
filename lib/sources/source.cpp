// The list of sources, made from sources.def at compile time: nothing registers itself.
#include <algorithm>
#include <array>
#include <base/url.hpp>
#include <base/work.hpp>
#include <model/json.hpp>
#include <sources/source.hpp>

namespace freshet::sources {

namespace {

constexpr std::array every_source = {
#define FRESHET_SOURCE(name) &name::source,
#include <sources/sources.def>
#undef FRESHET_SOURCE
};

}  // namespace

std::span<const descriptor* const> all_sources() noexcept { return every_source; }

const descriptor* find_source(std::string_view name) noexcept {
  const auto found = std::ranges::find_if(
      every_source, [name](const descriptor* one) { return one->name == name; });
  return found == every_source.end() ? nullptr : *found;
}

const capability* find_capability(const descriptor& source, catalog::operation op) noexcept {
  const auto found = std::ranges::find(source.capabilities, op, &capability::op);
  return found == source.capabilities.end() ? nullptr : &*found;
}

void item_list::count(const item& added) {
  bytes_ += sizeof added + model::text_size(added);
  if (bytes_ > max_listing_bytes) throw base::work_ended(errc::unsupported_content);
}

void choose_target(http::request& request, const settings& settings) {
  request.chosen_by = http::target_choice::caller;
  if (settings.chosen_origins.empty()) return;
  const auto url = base::parse_url(request.url);
  if (!url || !url->is_http()) return;
  const auto& origins = settings.chosen_origins;
  if (std::ranges::find(origins, url->origin()) != origins.end())
    request.chosen_by = http::target_choice::configuration;
}

}  // namespace freshet::sources
