// Any bytes as the answers to a call of any source, one behind another as its own requests ask for
// them: read() ends, and gives a refusal of the contract, a request to a web address, or items that
// keep the catalogue's schema. The position of a next page is one that the source itself takes.
#include <base/ids.hpp>
#include <boost/json/serialize.hpp>
#include <catalog/validate.hpp>
#include <cstdint>
#include <extract/schema.hpp>
#include <fuzz/answers.hpp>
#include <fuzz/target.hpp>
#include <sources/item_check.hpp>
#include <sources/sandbox.hpp>

namespace {

using namespace freshet;
using catalog::operation;

const sources::descriptor& chosen_source(const fuzz::headed_input& head) {
  const auto name = head.text("source");
  if (const auto* found = sources::find_source(name)) return *found;
  const auto all = sources::all_sources();
  return *all[fuzz::any_of(name, all.size())];
}

const sources::capability& chosen_capability(const fuzz::headed_input& head,
                                             const sources::descriptor& source) {
  const auto path = head.text("path");
  const auto* endpoint = catalog::find_endpoint(path);
  const auto* found =
      endpoint == nullptr ? nullptr : sources::find_capability(source, endpoint->op);
  if (found != nullptr) return *found;
  return source.capabilities[fuzz::any_of(path, source.capabilities.size())];
}

/// What the lines say to the endpoint, as validation lets it through.
result<catalog::arguments> chosen_arguments(const fuzz::headed_input& head, operation op) {
  const auto& endpoint = catalog::find_endpoint(op);
  base::json::object body;
  for (const auto& [name, value] : head.lines()) {
    const auto* of = catalog::find_parameter(endpoint, name);
    if (of == nullptr) continue;
    if (of->type == catalog::value_type::string) body[name] = value;
    if (of->type == catalog::value_type::string_list) body[name] = base::json::array{value};
    if (of->type != catalog::value_type::object) continue;
    if (auto object = base::parse_json(value)) body[name] = std::move(*object);
  }
  return catalog::validate(endpoint, base::json::serialize(body));
}

/// As the pipeline asks a source.
sources::call call_of(const catalog::arguments& from) {
  sources::call what;
  what.op = from.of().op;
  what.now = sources::sandbox_now;
  what.q = from.q;
  if (from.since) what.since = what.now - *from.since;
  what.username = from.text("username");
  const auto id = from.text("id");
  if (const auto parts = base::parse_item_id(id)) what.native_id = parts->native;
  what.url = from.text("url");
  what.schema = from.object("schema");
  what.community = from.text("community");
  what.hashtag = from.text("hashtag");
  what.sort = from.text("sort");
  what.sites = from.list("sites");
  what.exclude_sites = from.list("exclude_sites");
  what.topic = from.text("topic");
  what.lang = from.text("lang");
  what.country = from.text("country");
  if (from.text("mode") == "page") what.page.mode = markdown::page_mode::page;
  return what;
}

sources::settings chosen_settings(const fuzz::headed_input& head,
                                  const sources::descriptor& source) {
  sources::settings with;
  with.base_url = source.default_base_url;
  if (with.base_url.empty() && !source.default_instances.empty())
    with.base_url = source.default_instances.front();
  if (with.base_url.empty()) with.base_url = "https://" + std::string(source.name) + ".example";
  if (head.text("credentials") != "yes") return with;
  for (const auto& one : source.settings) {
    if (one.secret) with.values[std::string(one.name)] = "made-up";
  }
  return with;
}

void require_page(const sources::listing& page, const sources::call& call,
                  const sources::descriptor& source) {
  fuzz::require_nothing(test::joined(test::page_problems(page, source.name)));
  for (const auto& one : page.items) static_cast<void>(query::matches(call.q, one));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parts = fuzz::parts_of(fuzz::text_of(data, size));
  const fuzz::headed_input head(parts.front());
  const auto& source = chosen_source(head);
  const auto& how = chosen_capability(head, source);
  const auto arguments = chosen_arguments(head, how.op);
  if (!arguments) return 0;
  const auto what = call_of(*arguments);
  // The pipeline refuses these before anything is asked.
  const bool has_schema = !what.schema.empty();
  if (has_schema && !extract::schema::compile(what.schema, "/schema")) return 0;
  const auto with = chosen_settings(head, source);
  auto position = head.text("position");
  // A cursor holds only what a source has given, or what is left of it.
  if (position.size() > sources::max_position_size) return 0;
  std::string state;
  if (const auto asked = how.plan(what, with, position); !asked) return 0;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto answer = fuzz::read_answer(parts[i]);
    auto read = how.read({what, with, answer, position, state});
    fuzz::require_nothing(test::joined(test::step_problems(read, source.name)));
    if (!read) return 0;
    if (auto* next = std::get_if<sources::follow>(&*read)) {
      state = std::move(next->state);
      continue;
    }
    const auto& page = std::get<sources::listing>(*read);
    require_page(page, what, source);
    if (page.next.empty()) return 0;
    const auto onward = how.plan(what, with, page.next);
    if (!onward) fuzz::require_nothing("'" + page.next + "': " + onward.error().detail());
    fuzz::require(test::is_web_url(onward->url));
    position = page.next;
    state.clear();
  }
  return 0;
}
