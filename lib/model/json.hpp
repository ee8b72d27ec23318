// Items, envelopes and problem documents as JSON, written here so that every door gives the same
// bytes; only what is answered for want of memory stands ready at the engine and at the C ABI. Keys
// come in the order of the contract.
#pragma once

#include <boost/json/value.hpp>
#include <freshet/item.hpp>
#include <freshet/response.hpp>
#include <freshet/result.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::model {

/// Appends one item. `fields`: the keys to write beside `object` and `id`; empty means all.
void append_item(std::string& out, const item& item, std::span<const std::string> fields = {});

/// Where an item comes from, as who asks for `provenance` among the fields is told.
struct item_provenance {
  std::string source, instance, request_id;
  bool cached = false;
  /// Of a document: where in the page these were found.
  bool is_document = false;
  std::string title, authors, created_at;
};
/// Adds it to an item that was appended last.
void append_provenance(std::string& out, const item_provenance& provenance);

/// Bytes of an item's texts, for who counts what it keeps.
[[nodiscard]] std::size_t text_size(const item& of);

/// `data` of a list: [item,item].
[[nodiscard]] std::string items_json(std::span<const item> items,
                                     std::span<const std::string> fields = {});

/// Reads one item back; the inverse of append_item for any item. Error: source_error (a remote
/// server sent something else).
[[nodiscard]] result<item> read_item(const boost::json::value& from);

/// The envelope around `data` (already JSON). `page` null: a lookup. Fills body, data_offset,
/// data_size and the credits of the response.
[[nodiscard]] response make_envelope(std::string_view data, const page_info* page,
                                     const response_meta& meta);

/// The envelope of a list or a lookup that is answered again and again: what does not change with
/// the call, written once. Immutable.
struct envelope_frame {
  std::shared_ptr<const body_lead> lead;  ///< up to the end of `data`
  std::string rest;                       ///< from behind the credits to the end
};
[[nodiscard]] envelope_frame make_frame(std::string_view data, const response_meta& meta);
/// The same bytes as make_envelope gives for that data and meta, with the identity and the credits
/// of a call; the lead apart.
[[nodiscard]] response fill_frame(const envelope_frame& frame, const page_info* page,
                                  std::string_view request_id, const credits_info& credits);
/// Puts the lead before the body, for who wants it whole.
void join_lead(response& of);

/// Appends the beginning of a source's event: its row, and `data` up to the first item.
void begin_source_event(std::string& out, const source_report& row);
/// Appends its end, behind the items.
void end_source_event(std::string& out);
/// The event, read back. Error: source_error.
[[nodiscard]] result<source_part> read_source_event(std::string_view body);

/// The problem document of an error.
[[nodiscard]] response make_problem(const error& problem, std::string_view request_id,
                                    const credits_info& credits);

/// The envelope of a remote answer, read back.
struct parsed_envelope {
  std::vector<item> items;  ///< one for a lookup
  bool is_list = false;
  page_info page;
  response_meta meta;
};
[[nodiscard]] result<parsed_envelope> read_envelope(std::string_view body);
/// The error of a remote problem document; never fails: unreadable becomes source_error.
[[nodiscard]] error read_problem(std::string_view body, int status);

}  // namespace freshet::model
