// A table: each prompt names the tools that its task takes, in their order.
#include <array>
#include <server/mcp/message.hpp>
#include <server/mcp/prompts.hpp>
#include <span>

namespace freshet::server::mcp {
namespace {

namespace json = boost::json;

struct argument {
  std::string_view name, about;
  bool required = true;
  std::string_view fallback{};  ///< where it is not required
};

struct prompt {
  std::string_view name, title, about;
  std::span<const argument> arguments;
  std::string_view text;  ///< {name} stands for an argument
};

constexpr argument topic{"topic", "What to look for"};
constexpr argument span_of_time{"since", "How far back, such as 24h, 7d or 30d", false, "7d"};

constexpr std::array<argument, 2> about_topic{topic, span_of_time};
constexpr std::array<argument, 2> about_page{
    argument{"url", "The page's address"},
    argument{"question", "What to find out", false, "What does it say, and on what grounds?"}};
constexpr std::array<argument, 2> about_user{argument{"username", "The handle"}, span_of_time};

constexpr std::array<prompt, 5> table{{
    {"research_topic", "Research a topic",
     "Press, web, forums and posts on one topic, with sources.", about_topic,
     "Research \"{topic}\" over the last {since}. Call news_search with q and since, then "
     "web_serp_search, and read the two or three most telling pages with scrape_markdown. Call "
     "forum_search and microblog_search for what people make of it. Then write a summary: what is "
     "known, what is disputed, what is missing, with the address of every source. Say which "
     "sources failed (meta.sources)."},
    {"compare_coverage", "Compare how the press covers a topic",
     "Who reports what, and what only some report.", about_topic,
     "Call news_search for \"{topic}\" since {since}, with more pages until ten different sites "
     "are there. Group the articles by what they claim. Read one page of each group with "
     "scrape_markdown. Write a table: claim, sites that make it, sites that contradict it, with "
     "addresses and dates."},
    {"community_opinion", "What communities think of a topic",
     "Arguments for and against, from forums and their comments.", about_topic,
     "Call forum_search for \"{topic}\" since {since}. For the three posts with the most comments "
     "call forum_posts_comments with their id. List the arguments for and against, each with how "
     "often it comes and one short quotation with its address."},
    {"read_page", "Answer a question from a page", "One page, read and quoted.", about_page,
     "Call scrape_markdown with the url {url}; if meta.truncated is true, go on with "
     "page.next_cursor. Then answer: {question} Quote the sentences that you rely on, and say so "
     "if the page does not answer it."},
    {"follow_account", "Catch up with an account", "What somebody posted, and the answers to it.",
     about_user,
     "Call microblog_users_lookup and microblog_users_posts for {username} since {since}. For the "
     "posts with the most replies call microblog_posts_replies. Summarise the themes, with the "
     "address of each post that you name."},
}};

std::string value_of(const argument& one, const json::object& given) {
  const json::value* found = given.if_contains(one.name);
  if (found == nullptr || !found->is_string() || found->get_string().empty()) {
    return std::string(one.fallback);
  }
  return std::string(found->get_string());
}

/// The text with its arguments; what an argument holds is not looked at again.
std::string fill(const prompt& prompt, const json::object& given) {
  std::string out;
  std::string_view rest = prompt.text;
  while (!rest.empty()) {
    const std::size_t open = rest.find('{');
    out += rest.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = rest.find('}', open);
    const std::string_view name = rest.substr(open + 1, close - open - 1);
    for (const argument& one : prompt.arguments) {
      if (one.name == name) out += value_of(one, given);
    }
    rest.remove_prefix(close + 1);
  }
  return out;
}

}  // namespace

json::array prompts() {
  json::array out;
  for (const prompt& one : table) {
    json::array arguments;
    for (const argument& each : one.arguments) {
      arguments.push_back(json::object{
          {"name", each.name}, {"description", each.about}, {"required", each.required}});
    }
    json::object row{{"name", one.name}, {"title", one.title}, {"description", one.about}};
    row["arguments"] = std::move(arguments);
    out.push_back(std::move(row));
  }
  return out;
}

std::optional<json::object> render_prompt(std::string_view name, const json::object& arguments,
                                          std::string& why) {
  for (const prompt& one : table) {
    if (one.name != name) continue;
    for (const argument& each : one.arguments) {
      if (each.required && value_of(each, arguments).empty()) {
        why = std::string(each.name) + ": this prompt needs it";
        return std::nullopt;
      }
    }
    json::object content{{"type", "text"}, {"text", fill(one, arguments)}};
    json::object said{{"role", "user"}};
    said["content"] = std::move(content);
    json::object out{{"description", one.about}};
    out["messages"] = json::array();
    out["messages"].as_array().push_back(std::move(said));
    return out;
  }
  why = "there is no prompt '" + clipped(name) + "'";
  return std::nullopt;
}

std::vector<std::string> complete_argument(std::string_view argument, std::string_view begun) {
  static constexpr std::string_view spans[] = {"24h", "3d", "7d", "30d", "52w"};
  std::vector<std::string> out;
  if (argument != span_of_time.name) return out;
  for (const std::string_view one : spans) {
    if (one.starts_with(begun)) out.emplace_back(one);
  }
  return out;
}

}  // namespace freshet::server::mcp
