// The table of traits. A name that is not in it is an ordinary element.
#include <html/tree/element_traits.hpp>
#include <initializer_list>

namespace freshet::html {

namespace {

using enum tag_id;
using by_tag = std::array<traits, static_cast<std::size_t>(tag_id::count)>;

constexpr void add(by_tag& tags, traits traits, std::initializer_list<tag_id> names) {
  for (const tag_id name : names) tags[static_cast<std::size_t>(name)] |= traits;
}

constexpr by_tag make_html_traits() {
  by_tag made{};
  add(made, special,
      {address,   applet,   area,     article, aside,   base,     basefont,   bgsound, blockquote,
       body,      br,       button,   caption, center,  col,      colgroup,   dd,      details,
       dir,       div,      dl,       dt,      embed,   fieldset, figcaption, figure,  footer,
       form,      frame,    frameset, h1,      h2,      h3,       h4,         h5,      h6,
       head,      header,   hgroup,   hr,      html,    iframe,   img,        input,   keygen,
       li,        link,     listing,  main,    marquee, menu,     meta,       nav,     noembed,
       noframes,  noscript, object,   ol,      p,       param,    plaintext,  pre,     script,
       search,    section,  select,   source,  style,   summary,  table,      tbody,   td,
       template_, textarea, tfoot,    th,      thead,   title,    tr,         track,   ul,
       wbr,       xmp});
  constexpr traits every_scope = scope_end | list_scope_end | button_scope_end;
  add(made, every_scope,
      {applet, caption, html, table, td, th, marquee, object, select, template_});
  add(made, list_scope_end, {ol, ul});
  add(made, button_scope_end, {button});
  add(made, table_scope_end, {html, table, template_});
  add(made, implied_end | implied_end_thoroughly,
      {dd, dt, li, optgroup, option, p, rb, rp, rt, rtc});
  add(made, implied_end_thoroughly, {caption, colgroup, tbody, td, tfoot, th, thead, tr});
  add(made, formatting, {a, b, big, code, em, font, i, nobr, s, small, strike, strong, tt, u});
  add(made, heading, {h1, h2, h3, h4, h5, h6});
  add(made, breakout, {b,     big,   blockquote, body,   br,   center, code,  dd, div,  dl,   dt,
                       em,    embed, h1,         h2,     h3,   h4,     h5,    h6, head, hr,   i,
                       img,   li,    listing,    menu,   meta, nobr,   ol,    p,  pre,  ruby, s,
                       small, span,  strong,     strike, sub,  sup,    table, tt, u,    ul,   var});
  add(made, foster, {table, tbody, tfoot, thead, tr});
  return made;
}

constexpr traits in_every_scope = special | scope_end | list_scope_end | button_scope_end;

}  // namespace

constexpr by_tag html_traits = make_html_traits();

traits traits_of(tag_id tag, element_space space) noexcept {
  if (space == element_space::html) return html_traits[static_cast<std::size_t>(tag)];
  if (space == element_space::svg) {
    const bool integrates = tag == foreignobject || tag == desc || tag == title;
    return integrates ? in_every_scope | html_integration : 0;
  }
  if (tag == mi || tag == mo || tag == mn || tag == ms || tag == mtext) {
    return in_every_scope | text_integration;
  }
  return tag == annotation_xml ? in_every_scope : 0;
}

}  // namespace freshet::html
