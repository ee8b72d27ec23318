// Numbers go as varints, texts behind their length, and each call behind its own, so that a reader
// of a later version may skip what it does not know.
#include "requests/call_record.hpp"

#include <algorithm>
#include <base/packing.hpp>

namespace freshet::requests {

using base::put_number;
using base::put_text;
using base::unpacker;
using base::varint_bits;
using base::varint_more;

namespace {

enum flag : std::uint64_t { test = 1, replayed = 2, complete = 4, partial = 8, counted = 16 };

constexpr int most_class = 9;

void put_count(std::string& out, std::int64_t value) {
  base::put_number(out, static_cast<std::uint64_t>(std::max<std::int64_t>(0, value)));
}

std::uint64_t flags_of(const call_facts& of) noexcept {
  std::uint64_t flags = 0;
  if (of.is_test) flags |= flag::test;
  if (of.is_replayed) flags |= flag::replayed;
  if (of.completeness == completeness::complete) flags |= flag::complete;
  if (of.completeness == completeness::partial) flags |= flag::partial;
  if (of.items) flags |= flag::counted;
  return flags;
}

void put_source(std::string& out, const source_report& report) {
  for (const std::string* text :
       {&report.name, &report.instance, &report.status, &report.code, &report.cache}) {
    put_text(out, *text);
  }
  for (const auto value : {report.items_read, report.items, report.elapsed_ms})
    put_count(out, value);
}

source_report take_source(unpacker& from) {
  source_report made;
  for (std::string* text : {&made.name, &made.instance, &made.status, &made.code, &made.cache}) {
    *text = from.text();
  }
  for (auto* value : {&made.items_read, &made.items, &made.elapsed_ms}) *value = from.count();
  return made;
}

/// A bit for a text: different texts may share one.
std::int64_t bit_of(std::string_view text) noexcept {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  }
  return static_cast<std::int64_t>(std::uint64_t{1} << (hash >> 58));
}

std::int64_t class_bit(int status) noexcept {
  return std::int64_t{4} << std::clamp(status / 100, 0, most_class);
}

std::int64_t mode_bit(bool is_test) noexcept { return is_test ? 2 : 1; }

}  // namespace

void pack_call(std::string& out, const call_facts& facts) {
  const auto begin = out.size();
  constexpr std::size_t room_for_length = 3;
  out.resize(begin + room_for_length);
  put_count(out, facts.at.time_since_epoch().count());
  put_text(out, facts.request_id);
  put_text(out, facts.endpoint);
  put_text(out, facts.key_id);
  put_number(out, flags_of(facts));
  put_count(out, facts.status);
  put_text(out, facts.code);
  put_count(out, facts.credits);
  put_count(out, facts.elapsed_ms);
  put_count(out, facts.items.value_or(0));
  const auto kept = std::min(facts.sources.size(), max_kept_sources);
  put_number(out, kept);
  for (const auto& one : facts.sources.first(kept)) put_source(out, one);
  // As a varint of fixed width, so that what stands behind it need not move.
  auto size = out.size() - begin - room_for_length;
  for (std::size_t i = 0; i < room_for_length; ++i, size >>= varint_bits) {
    const auto more = i + 1 < room_for_length ? varint_more : 0;
    out[begin + i] = static_cast<char>((size & (varint_more - 1)) | more);
  }
}

bool unpack_call(std::string_view& packed, call_record& record) {
  unpacker outer(packed);
  unpacker fields(outer.text());
  if (outer.is_broken()) return false;
  record.at = time_point(std::chrono::milliseconds(fields.count()));
  record.request_id = fields.text();
  record.endpoint = fields.text();
  record.key_id = fields.text();
  const auto flags = fields.number();
  record.is_test = (flags & flag::test) != 0;
  record.is_replayed = (flags & flag::replayed) != 0;
  record.completeness = (flags & flag::complete) != 0  ? completeness::complete
                        : (flags & flag::partial) != 0 ? completeness::partial
                                                       : completeness::none;
  record.status = static_cast<int>(fields.count());
  record.code = fields.text();
  record.credits = fields.count();
  record.elapsed_ms = fields.count();
  const auto items = fields.count();
  record.items = (flags & flag::counted) != 0 ? std::optional(items) : std::nullopt;
  record.sources.clear();
  const auto sources = fields.number();
  for (std::uint64_t i = 0; i < sources && i < max_kept_sources && !fields.is_broken(); ++i) {
    record.sources.push_back(take_source(fields));
  }
  packed = outer.left();
  return !fields.is_broken();
}

bool request_filter::takes(const call_record& one) const noexcept {
  const bool has_status =
      most_status == 0 || (one.status >= least_status && one.status <= most_status);
  return has_status && (endpoint.empty() || endpoint == one.endpoint) &&
         (key_id.empty() || key_id == one.key_id) && (code.empty() || code == one.code) &&
         (!is_test || *is_test == one.is_test) && (!since || one.at >= *since);
}

void call_marks::add(const call_facts& one) noexcept {
  kinds |= mode_bit(one.is_test) | class_bit(one.status);
  codes |= bit_of(one.code);
  endpoints |= bit_of(one.endpoint);
  keys |= bit_of(one.key_id);
}

void call_marks::add(const call_marks& other) noexcept {
  kinds |= other.kinds;
  codes |= other.codes;
  endpoints |= other.endpoints;
  keys |= other.keys;
}

call_marks call_marks::classes_of(const request_filter& filter) noexcept {
  call_marks any;
  if (filter.most_status == 0) return any;
  const int last = std::min(filter.most_status / 100, most_class);
  for (int each = filter.least_status / 100; each <= last; ++each) {
    any.kinds |= class_bit(each * 100);
  }
  return any;
}

call_marks call_marks::of(const request_filter& filter) noexcept {
  call_marks wanted;
  if (filter.is_test) wanted.kinds = mode_bit(*filter.is_test);
  if (!filter.code.empty()) wanted.codes = bit_of(filter.code);
  if (!filter.endpoint.empty()) wanted.endpoints = bit_of(filter.endpoint);
  if (!filter.key_id.empty()) wanted.keys = bit_of(filter.key_id);
  return wanted;
}

}  // namespace freshet::requests
