// The entries of a thread before they are a page. As the items of a listing they have an end: an
// answer says once what each of many entries repeats, the parent's id or the file that many show.
#pragma once

#include <base/work.hpp>
#include <sources/source.hpp>
#include <utility>
#include <vector>

namespace freshet::sources {

/// Entries with `what`, `key` and `parent_key`. More than max_listing_bytes end the reading of the
/// answer: push_back() and weigh() throw base::work_ended.
template <class Entry>
class entry_list : public std::vector<Entry> {
 public:
  void push_back(Entry made) {
    weigh(made.what);
    add(made.key.size() + made.parent_key.size());
    std::vector<Entry>::push_back(std::move(made));
  }
  /// Counts one that is not kept, but was read.
  void weigh(const decltype(Entry::what)& one) {
    std::size_t size = sizeof(Entry) + one.id.size() + one.url.size() + one.text.size() +
                       one.parent_id.size() + one.author.id.size();
    for (const auto& media : one.media)
      size += sizeof media + media.url.size() + media.preview_url.size() + media.alt.size();
    for (const auto& tag : one.tags) size += sizeof tag + tag.size();
    for (const auto& link : one.links) size += sizeof link + link.size();
    add(size);
  }

 private:
  void add(std::size_t bytes) {
    bytes_ += bytes;
    if (bytes_ > max_listing_bytes) throw base::work_ended(errc::unsupported_content);
  }

  std::size_t bytes_ = 0;
};

}  // namespace freshet::sources
