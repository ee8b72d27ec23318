// Any bytes as an XML feed: cleaning and reading end within the limits of a feed, and what comes is
// UTF-8 whatever the bytes were.
#include <base/unicode.hpp>
#include <cstdint>
#include <fuzz/target.hpp>
#include <sources/syndication/feed.hpp>

namespace {

using namespace freshet;
using namespace freshet::sources::syndication;

void require_texts(std::initializer_list<std::string_view> all) {
  for (const auto text : all) fuzz::require(base::is_utf8(text));
}

void require_people(const std::vector<feed_person>& all) {
  for (const auto& one : all) require_texts({one.name, one.url, one.avatar_url});
}

void require_entry(const feed_entry& one) {
  require_texts({one.guid, one.address, one.original_address, one.base, one.title.text,
                 one.summary.text, one.content.text, one.lang, one.origin_name,
                 one.origin_address});
  require_people(one.authors);
  for (const auto& tag : one.tags) require_texts({tag});
  for (const auto* dates : {&one.published, &one.changed}) {
    for (const auto& date : *dates) static_cast<void>(feed_time(date));
  }
  fuzz::require(one.attachments.size() <= max_media_per_entry);
  for (const auto& each : one.attachments) require_texts({each.url, each.alt, each.preview_url});
}

void read(std::string_view bytes, std::string_view content_type) {
  const auto clean = clean_xml(bytes, content_type);
  fuzz::require(base::is_utf8(clean));
  const auto found = read_xml_feed(clean);
  if (!found) {
    fuzz::require(found.error().code() == errc::source_error);
    return;
  }
  require_texts({found->title.text, found->address, found->lang, found->problem});
  require_people(found->authors);
  fuzz::require(found->entries.size() <= max_entries);
  for (const auto& one : found->entries) require_entry(one);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = fuzz::text_of(data, size);
  read(bytes, "application/xml");
  read(bytes, "text/xml; charset=windows-1252");
  static_cast<void>(feed_time(bytes.substr(0, 200)));
  return 0;
}
