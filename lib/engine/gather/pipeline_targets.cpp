// The stages of the pipeline that turn a call's arguments into the branches that are asked: which
// sources its `sources`, `id` or `url` name. It fetches nothing.
#include "engine/pipeline.hpp"

#include <algorithm>
#include <base/ids.hpp>
#include <base/invalid_parameter.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <extract/schema.hpp>
#include <http/robots.hpp>

namespace freshet::detail {
namespace {

using catalog::operation;

/// Upstream pages are never smaller than this: filtering would make many round trips of them.
constexpr std::int64_t min_page_size = 20;

using source_list = std::vector<const configured_source*>;

/// Each source once, of several lists.
source_list joined(const std::vector<source_list>& lists) {
  source_list all;
  for (const auto& list : lists) {
    for (const auto* source : list) {
      if (std::ranges::find(all, source) == all.end()) all.push_back(source);
    }
  }
  return all;
}

std::string joined_names(const std::vector<source_list>& lists) {
  std::string names;
  for (const auto* source : joined(lists)) {
    names += (names.empty() ? "" : ", ") + std::string(source->of->name);
  }
  return names;
}

const configured_source* find_named(const source_list& sources, std::string_view name) {
  const auto found = std::ranges::find_if(
      sources, [&](const configured_source* one) { return one->of->name == name; });
  return found == sources.end() ? nullptr : *found;
}

/// Those that are named, in the order of their names.
source_list only_named(const source_list& sources, const std::vector<std::string>& names) {
  source_list chosen;
  for (const auto& name : names) {
    const auto* found = find_named(sources, name);
    if (found != nullptr && std::ranges::find(chosen, found) == chosen.end()) {
      chosen.push_back(found);
    }
  }
  return chosen;
}

std::string not_configured(const catalog::endpoint& endpoint, const source_list& sources) {
  std::string text = "no source is configured for " + std::string(endpoint.path);
  for (const auto* source : sources) {
    if (!source->missing.empty()) text += "; set " + source->missing;
  }
  return text;
}

}  // namespace

/// An account call needs an account; an `id` must be one of ours.
result<void> pipeline::check_target() const {
  if (endpoint_->platform == "account") {
    if (who_) return {};
    return error(errc::missing_api_key, "an account call needs the key of an account");
  }
  const auto id = arguments_->text("id");
  if (id.empty()) return {};
  const auto parts = base::parse_item_id(id);
  const auto* source = parts ? sources::find_source(parts->source) : nullptr;
  if (source == nullptr || sources::find_capability(*source, endpoint_->op) == nullptr) {
    return base::invalid_parameter(
        "/id", "invalid_format",
        "'" + id + "' is no id of this platform; give one as an item has it");
  }
  return {};
}

/// A schema that nothing can be extracted by is the caller's mistake, told before anything is
/// asked.
result<void> pipeline::check_schema() const {
  if (!arguments_->given("schema")) return {};
  const auto compiled = extract::schema::compile(arguments_->object("schema"), "/schema");
  if (!compiled) return compiled.error();
  return {};
}

/// What the operator has said for all calls no caller takes back.
result<void> pipeline::check_robots() const {
  if (!arguments_->given("respect_robots") || arguments_->flag("respect_robots")) return {};
  if (!core_.settings.flag("scrape.require_robots").value_or(false)) return {};
  return base::invalid_parameter("/respect_robots", "not_allowed",
                                 "this server obeys robots.txt for every call; leave it out");
}

/// The endpoints whose sources are asked: itself, or those that it joins, in the caller's order.
std::vector<const catalog::endpoint*> pipeline::endpoints_asked() const {
  if (endpoint_->parts.empty()) return {endpoint_};
  std::vector<const catalog::endpoint*> parts;
  for (const auto op : endpoint_->parts) parts.push_back(&catalog::find_endpoint(op));
  std::vector<const catalog::endpoint*> chosen;
  for (const auto& platform : arguments_->list("platforms")) {
    chosen.push_back(*std::ranges::find(parts, platform, &catalog::endpoint::platform));
  }
  return chosen.empty() ? parts : chosen;
}

result<pipeline::stage_end> pipeline::choose_sources() {
  if (endpoint_->platform == "account") return stage_end::next;
  const auto asked = endpoints_asked();
  std::vector<source_list> serving;
  for (const auto* one : asked) serving.push_back(environment_->serving(one->op, core_.settings));
  const auto named = arguments_->list("sources");
  for (std::size_t i = 0; i < named.size(); ++i) {
    const bool serves = std::ranges::any_of(
        serving, [&](const source_list& of) { return find_named(of, named[i]) != nullptr; });
    if (serves) continue;
    return base::invalid_parameter("/sources/" + std::to_string(i), "not_allowed",
                                   "'" + named[i] + "' does not serve " +
                                       std::string(endpoint_->path) +
                                       " here; these do: " + joined_names(serving));
  }
  if (!named.empty()) {
    for (auto& of : serving) of = only_named(of, named);
  }
  const auto id = arguments_->text("id");
  const auto parts = base::parse_item_id(id);
  if (parts) {
    auto& chosen = serving.front();
    std::erase_if(chosen,
                  [&](const configured_source* one) { return one->of->name != parts->source; });
    if (chosen.empty() && !named.empty()) {
      return base::invalid_parameter("/sources", "not_allowed",
                                     "the id is one of '" + std::string(parts->source) +
                                         "', which is not among them; leave sources out");
    }
  }
  // An address, as an id, may name the instance that knows the thing.
  const auto address = parts ? std::nullopt : base::parse_url(arguments_->text("url"));
  std::string host;
  if (address) host = address->host + (address->port.empty() ? "" : ":" + address->port);
  const auto native = parts ? parts->native : std::string_view(host);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto before = branches_.size();
    const auto name = endpoint_->parts.empty() ? std::string_view() : asked[i]->platform;
    add_branches(serving[i], {asked[i]->op, endpoint_->asks, native, parts_.size(), name},
                 branches_, unready_);
    if (branches_.size() > before) {
      parts_.push_back(asked[i]);
    } else if (arguments_->given("platforms")) {
      absent_.push_back("failed: " + not_configured(*asked[i], serving[i]));
    }
  }
  if (branches_.empty()) {
    return error(errc::source_auth_required, not_configured(*endpoint_, joined(serving)));
  }
  // Sources that nobody asked for by name need not be excused in every answer.
  if (named.empty()) unready_.clear();
  return stage_end::next;
}

sources::call pipeline::source_call(operation op) const {
  sources::call asked;
  asked.op = op;
  asked.q = arguments_->q;
  asked.now = environment_->clock->now();
  if (from_.since) {
    asked.since = from_.since;
  } else if (arguments_->since) {
    asked.since = asked.now - *arguments_->since;
  }
  asked.username = arguments_->text("username");
  const auto id = arguments_->text("id");
  if (const auto parts = base::parse_item_id(id)) asked.native_id = parts->native;
  asked.url = arguments_->text("url");
  asked.community = arguments_->text("community");
  asked.hashtag = arguments_->text("hashtag");
  asked.sort = arguments_->text("sort");
  asked.sites = arguments_->list("sites");
  asked.exclude_sites = arguments_->list("exclude_sites");
  asked.topic = arguments_->text("topic");
  asked.lang = arguments_->text("lang");
  asked.country = arguments_->text("country");
  // Page numbers of a source count in pages of one size: it stays the same through a walk.
  asked.limit = static_cast<int>(from_.page_size != 0
                                     ? from_.page_size
                                     : std::max(arguments_->integer("limit"), min_page_size));
  if (endpoint_->platform != "scrape") return asked;
  if (arguments_->given("max_age_s")) {
    asked.max_age = std::chrono::seconds(arguments_->integer("max_age_s"));
  }
  asked.respect_robots = arguments_->given("respect_robots")
                             ? arguments_->flag("respect_robots")
                             : core_.settings.flag("scrape.require_robots").value_or(false) ||
                                   core_.settings.flag("scrape.respect_robots").value_or(true);
  asked.schema = arguments_->object("schema");
  asked.crawler = http::product_token(user_agent(core_.settings));
  if (endpoint_->op != operation::scrape_markdown) return asked;
  asked.page.mode =
      arguments_->text("mode") == "page" ? markdown::page_mode::page : markdown::page_mode::article;
  asked.page.include = arguments_->list("include");
  asked.page.exclude = arguments_->list("exclude");
  const auto links = arguments_->text("links");
  if (links == "footnotes") asked.page.links = markdown::link_style::footnotes;
  if (links == "none") asked.page.links = markdown::link_style::none;
  asked.page.images = arguments_->flag("images");
  const auto safety = arguments_->text("safety");
  if (safety == "strip") asked.page.safety = markdown::safety_mode::strip;
  if (safety == "refuse") asked.page.safety = markdown::safety_mode::refuse;
  const auto render = arguments_->text("render");
  if (render == "auto") asked.render = http::rendering::if_possible;
  if (render == "always") asked.render = http::rendering::always;
  return asked;
}

merge_order pipeline::order_of(std::size_t part) const {
  if (endpoint_->asks == ask_mode::any_one) return merge_order::as_given;
  if (arguments_->text("sort") == "new") return merge_order::by_time;
  const auto op = parts_[part]->op;
  const bool trends = op == operation::microblog_trends || op == operation::shortvideo_trends;
  if (parts_[part]->platform == "web-serp" || trends) return merge_order::by_rank;
  if (parts_[part]->platform == "news") return merge_order::by_time;
  const bool timed = std::ranges::all_of(branches_, [&](const branch& one) {
    return one.part != part || (one.how->native & sources::newest_first) != 0;
  });
  return timed ? merge_order::by_time : merge_order::in_turn;
}

/// Asked for by its name alone; an extraction has a list of its own under it.
bool pipeline::wants_provenance() const {
  const auto fields = arguments_->list("fields");
  return endpoint_->op != operation::scrape_extract &&
         std::ranges::find(fields, catalog::provenance_key) != fields.end();
}

gather_request pipeline::make_gather_request() const {
  gather_request plan;
  plan.parts.clear();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    plan.parts.push_back({endpoint_->parts.empty() ? "" : std::string(parts_[i]->platform),
                          source_call(parts_[i]->op), order_of(i)});
  }
  plan.mode = endpoint_->asks;
  const bool list = endpoint_->shape == catalog::answer_shape::list;
  plan.wanted = list ? static_cast<std::size_t>(arguments_->integer("limit")) : 1;
  plan.max_bytes = core_.max_answer_bytes();
  plan.clusters = arguments_->flag("cluster");
  plan.max_tokens = arguments_->integer("max_tokens");
  plan.fields = arguments_->list("fields");
  plan.provenance = wants_provenance();
  plan.request_id = meta_.request_id;
  plan.highlights = arguments_->highlights;
  plan.identity = identity_;
  if (const auto& passages = plan.highlights) {  // they stand in what is kept of a page
    plan.identity.append(1, '\n').append(std::to_string(passages->max_tokens));
    plan.identity.append(passages->instead_of_text ? " alone " : " ").append(passages->query.raw);
  }
  plan.owner = owner();
  plan.pass = pass_;
  plan.from = from_;
  plan.from.page_size = plan.parts.front().what.limit;
  const auto timeout = arguments_->given("timeout_ms")
                           ? arguments_->integer("timeout_ms")
                           : core_.settings.integer("network.timeout_ms").value_or(20000);
  auto time = std::chrono::milliseconds(timeout);
  if (arguments_->given("deadline_ms")) {
    time = std::min(time, std::chrono::milliseconds(arguments_->integer("deadline_ms")));
  }
  plan.by = environment_->clock->steady() + time;
  // Who has named the sources wants each of them.
  if (arguments_->list("sources").empty()) {
    const auto fair = core_.settings.integer("network.fair_time_ms").value_or(3000);
    plan.fair_time = std::chrono::milliseconds(std::max<std::int64_t>(0, fair));
  }
  return plan;
}

}  // namespace freshet::detail
