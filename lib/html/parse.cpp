// parse(): the input made ready, tokenizer and tree builder over it, and warnings for what was cut.
#include <html/document.hpp>
#include <html/tokens/input_stream.hpp>
#include <html/tree/tree_builder.hpp>

namespace freshet::html {

namespace {

/// Bytes that are read in one step of a meter.
constexpr std::size_t bytes_per_step = 16;

}  // namespace

document parse(std::string_view utf8, base::meter* counted, raw_text_end end) {
  document made;
  made.count_on(counted);
  made.spend(utf8.size() / bytes_per_step);
  reached_limits limits;
  const input_stream input = make_input(utf8, made.arena(), limits);
  tree_builder builder(made, input, limits);
  builder.set_raw_text_end(end);
  builder.run();
  limits.add_warnings(made.warnings);
  return made;
}

document parse_fragment(std::string_view utf8, std::string_view context, element_space space) {
  document made;
  reached_limits limits;
  const input_stream input = make_input(utf8, made.arena(), limits);
  tree_builder builder(made, input, limits);
  builder.set_context(made.keep(context), space);
  builder.run();
  limits.add_warnings(made.warnings);
  return made;
}

}  // namespace freshet::html
