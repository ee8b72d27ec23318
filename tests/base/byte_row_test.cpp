// Rows of bytes: which of them are beyond ASCII, and what stands in a short one.
#include <base/byte_row.hpp>
#include <catch2/catch.hpp>
#include <string>

using namespace freshet::base;

TEST_CASE("a row says which of its bytes are beyond ASCII, or as asked") {
  for (std::size_t at = 0; at < row_size; ++at) {
    std::string text(row_size, 'a');
    CHECK(bits_of(row_at(text.data())) == 0);
    text[at] = '\x80';
    CHECK(bits_of(row_at(text.data())) == 1u << at);
    text[at] = '<';
    CHECK(bits_of(row_at(text.data()) == '<') == 1u << at);
  }
}

TEST_CASE("behind a short text stand NULs") {
  for (std::size_t size = 0; size < row_size; ++size) {
    const std::string text(size, '\xFF');
    CHECK(bits_of(short_row(text)) == (1u << size) - 1);
    CHECK(bits_of(short_row(text) == 0) == (0xFFFFu & ~((1u << size) - 1)));
  }
}
