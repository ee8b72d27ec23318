// The sites of the network, and which of them a community means. A name that is no site is a tag of
// the configured one: that spares a request of the daily few only to learn that it is no site.
#include <algorithm>
#include <base/unicode.hpp>
#include <sources/stackexchange/wire.hpp>

namespace freshet::sources::stackexchange {

namespace {

constexpr std::string_view network = ".stackexchange.com";

/// Sites with a host of their own, by the name that the API gives them.
constexpr struct {
  std::string_view name, host;
} own_hosts[] = {
    {"stackoverflow", "stackoverflow.com"},
    {"serverfault", "serverfault.com"},
    {"superuser", "superuser.com"},
    {"askubuntu", "askubuntu.com"},
    {"mathoverflow.net", "mathoverflow.net"},
    {"stackapps", "stackapps.com"},
    {"meta.stackoverflow", "meta.stackoverflow.com"},
    {"meta.superuser", "meta.superuser.com"},
    {"meta.serverfault", "meta.serverfault.com"},
    {"meta.askubuntu", "meta.askubuntu.com"},
    {"es.stackoverflow", "es.stackoverflow.com"},
    {"pt.stackoverflow", "pt.stackoverflow.com"},
    {"ru.stackoverflow", "ru.stackoverflow.com"},
    {"ja.stackoverflow", "ja.stackoverflow.com"},
};

// clang-format off
/// Sites at <name>.stackexchange.com. One that is missing here is still reached by its host.
constexpr std::string_view names[] = {
    "3dprinting", "academia", "ai", "alcohol", "android", "anime", "apple", "arduino", "astronomy",
    "aviation", "bicycles", "bioacoustics", "bioinformatics", "biology", "bitcoin", "blender",
    "boardgames", "bricks", "buddhism", "cardano", "chemistry", "chess", "chinese", "christianity",
    "civicrm", "codegolf", "codereview", "coffee", "conlang", "cooking", "craftcms", "crafts",
    "crypto", "cs", "cs50", "cseducators", "cstheory", "datascience", "dba", "devops", "diy",
    "drones", "drupal", "dsp", "earthscience", "ebooks", "economics", "electronics", "elementaryos",
    "ell", "emacs", "engineering", "english", "eosio", "es", "esperanto", "ethereum", "expatriates",
    "expressionengine", "fitness", "freelancing", "french", "gamedev", "gaming", "gardening",
    "genai", "genealogy", "german", "gis", "graphicdesign", "ham", "hardwarerecs", "health",
    "hermeneutics", "hinduism", "history", "homebrew", "hsm", "interpersonal", "iot", "iota",
    "islam", "italian", "japanese", "joomla", "judaism", "korean", "langdev", "languagelearning",
    "latin", "law", "lifehacks", "linguistics", "literature", "magento", "martialarts", "materials",
    "math", "matheducators", "mathematica", "mattermodeling", "mechanics", "medicalsciences",
    "meta", "moderators", "monero", "money", "movies", "music", "musicfans", "mythology",
    "networkengineering", "opendata", "opensource", "or", "outdoors", "parenting", "patents",
    "pets", "philosophy", "photo", "physics", "pm", "poker", "politics", "portuguese",
    "proofassistants", "psychology", "puzzling", "quant", "quantumcomputing", "raspberrypi",
    "retrocomputing", "reverseengineering", "robotics", "rpg", "rus", "russian", "salesforce",
    "scicomp", "scifi", "security", "sharepoint", "sitecore", "skeptics", "softwareengineering",
    "softwarerecs", "solana", "sound", "space", "spanish", "sports", "sqa", "stats", "stellar",
    "substrate", "sustainability", "tex", "tezos", "tor", "travel", "tridion", "ukrainian", "unix",
    "ux", "vegetarianism", "vi", "video", "webapps", "webmasters", "windowsphone", "woodworking",
    "wordpress", "workplace", "worldbuilding", "writers", "writing",
};
// clang-format on

/// "" if it is the name of no site that is known.
std::string host_of_name(std::string_view name) {
  for (const auto& one : own_hosts) {
    if (one.name == name) return std::string(one.host);
  }
  if (std::ranges::find(names, name) == std::end(names)) return "";
  return std::string(name) + std::string(network);
}

/// "" if it is neither a site's name nor its host.
std::string host_of(std::string_view site) {
  return is_site(site) ? std::string(site) : host_of_name(site);
}

bool is_tag(std::string_view text) {
  constexpr std::size_t longest = 35;  // of the network's rules
  return !text.empty() && text.size() <= longest && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '+' ||
           c == '#' || static_cast<unsigned char>(c) >= 0x80;
  });
}

}  // namespace

bool is_site(std::string_view host) {
  const bool own =
      std::ranges::any_of(own_hosts, [&](const auto& one) { return one.host == host; });
  return own || (host.size() > network.size() && host.ends_with(network) && host.front() != '.');
}

std::string site_parameter(std::string_view host) {
  for (const auto& one : own_hosts) {
    if (one.host == host) return std::string(one.name);
  }
  if (!host.ends_with(network)) return std::string(host);
  const auto name = host.substr(0, host.size() - network.size());
  // Below another site ("math.meta") the host is the only name that needs no table.
  return std::string(name.find('.') == std::string_view::npos ? name : host);
}

std::string configured_host(const settings& settings) {
  const auto site = base::to_lower_ascii(settings.get("site"));
  if (site.empty()) return "stackoverflow.com";
  if (auto known = host_of(site); !known.empty()) return known;
  return site.find('.') == std::string::npos ? site + std::string(network) : site;
}

std::optional<site_scope> scope_of(const call& call, const settings& settings) {
  const auto name = base::to_lower_ascii(call.community);
  if (name.empty() || name == "all") return site_scope{configured_host(settings), ""};
  const auto at = name.find('@');
  if (at != std::string::npos) {
    const auto host = host_of(std::string_view(name).substr(at + 1));
    const auto tag = name.substr(0, at);
    if (host.empty() || !is_tag(tag)) return std::nullopt;
    return site_scope{host, host_of(tag) == host ? "" : tag};
  }
  if (auto host = host_of(name); !host.empty()) return site_scope{std::move(host), ""};
  if (!is_tag(name)) return std::nullopt;
  return site_scope{configured_host(settings), name};
}

}  // namespace freshet::sources::stackexchange
