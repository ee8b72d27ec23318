// The parts of a position's text, and the positions that several sources have alike.
#include <algorithm>
#include <sources/position.hpp>

namespace freshet::sources {

error foreign_position(std::string_view source) {
  return error(errc::invalid_cursor, "the position is not one of " + std::string(source));
}

std::optional<std::string_view> take_field(std::optional<std::string_view>& rest, char separator,
                                           bool is_last) {
  const auto end = !rest || is_last ? std::string_view::npos : rest->find(separator);
  const auto field = rest ? std::optional(rest->substr(0, end)) : std::nullopt;
  rest = end == std::string_view::npos ? std::nullopt : std::optional(rest->substr(end + 1));
  return field;
}

namespace {

auto sized_pages(const page_bounds& bounds) {
  return position_codec{bounds.source, ':', number_field{&sized_page::page, 1, bounds.last_page},
                        number_field{&sized_page::size, 1, bounds.max_size}};
}

auto result_pages(int last_page, std::string_view source) {
  return position_codec{
      source, ':', number_field{&result_position::page, 1, last_page},
      number_field{&result_position::given, std::int64_t{0}, max_results_of_walk}};
}

auto token_pages(bool (*is_list)(std::string_view), bool (*is_token)(std::string_view),
                 std::string_view source) {
  return position_codec{source, '/', text_field{&token_position::list, is_list},
                        text_field{&token_position::token, is_token}};
}

}  // namespace

std::string sized_page::text() const { return sized_pages({}).text(*this); }

result<sized_page> read_sized_page(std::string_view text, int limit, const page_bounds& bounds) {
  return sized_pages(bounds).read(text, {1, std::clamp(limit, 1, bounds.max_size)});
}

std::string result_position::text() const { return result_pages(0, {}).text(*this); }

result<result_position> read_result_position(std::string_view text, int last_page,
                                             std::string_view source) {
  return result_pages(last_page, source).read(text);
}

std::string token_position::text() const { return token_pages(nullptr, nullptr, {}).text(*this); }

result<token_position> read_token_position(std::string_view text, bool (*is_list)(std::string_view),
                                           bool (*is_token)(std::string_view),
                                           std::string_view source) {
  if (text.empty()) return foreign_position(source);
  return token_pages(is_list, is_token, source).read(text);
}

}  // namespace freshet::sources
