// The signals by which content is told from what surrounds it, each with its reason: the one place
// where heuristics and their weights stand. Nothing is decided here.
#pragma once

#include <array>
#include <cstdint>
#include <html/tag.hpp>
#include <markdown/name_marks.hpp>
#include <span>
#include <string_view>

namespace freshet::markdown::signals {

/// Parts of class and id names of what is rarely content. Dropped before scoring, unless the name
/// also has one of `maybe_names`. From mozilla/readability's table, with what firecrawl#78 lists.
inline constexpr std::array<std::string_view, 42> unlikely_names = {
    "-ad-",         "ai2html",    "banner",  "breadcrumb",   "combx",      "comment",
    "community",    "cover-wrap", "disqus",  "extra",        "footer",     "gdpr",
    "header",       "legends",    "menu",    "related",      "remark",     "replies",
    "rss",          "shoutbox",   "sidebar", "skyscraper",   "social",     "sponsor",
    "supplemental", "ad-break",   "agegate", "pagination",   "pager",      "popup",
    "yom-remote",   "cookie",     "consent", "newsletter",   "subscribe-", "share-",
    "sharing",      "outbrain",   "taboola", "recommended-", "byline-",    "promo-"};

/// Names that keep an unlikely one: the page's own wrappers ("main-header-and-body").
inline constexpr std::array<std::string_view, 8> maybe_names = {
    "and", "article", "body", "column", "content", "main", "mathjax", "shadow"};

/// Names that speak for content.
inline constexpr std::array<std::string_view, 13> positive_names = {
    "article", "body", "content", "entry", "hentry", "h-entry", "main",
    "page",    "post", "text",    "blog",  "story",  "prose"};

/// Names that speak against it.
inline constexpr std::array<std::string_view, 26> negative_names = {
    "-ad-",    " hid ",    "hidden", "banner",   "combx",     "comment", "com-",
    "contact", "footer",   "gdpr",   "masthead", "media",     "meta",    "outbrain",
    "promo",   "related",  "scroll", "share",    "shoutbox",  "sidebar", "skyscraper",
    "sponsor", "shopping", "tags",   "widget",   "newsletter"};

/// Names of bars to share and of what a page says about itself; dropped inside the content where
/// they hold little text.
inline constexpr std::array<std::string_view, 22> trimming_names = {
    "share",     "sharedaddy",      "social",       "newsletter", "subscribe", "related",
    "recommend", "breadcrumb",      "pagination",   "post-nav",   "nav-links", "author-bio",
    "tag-list",  "post-tags",       "entry-footer", "print-only", "advert",    "promo",
    "read-more", "jp-relatedposts", "toolbar",      "cookie"};

/// Names of texts for screen readers and of what is shown only after a click.
inline constexpr std::array<std::string_view, 9> hidden_names = {
    " sr-only ", " visually-hidden ",   " visuallyhidden ", " screen-reader-text ",
    " sr_only ", " screenreader-only ", " a11y-hidden ",    " u-hidden ",
    " d-none "};

/// Names of bars to share: short ones go even where they hold a paragraph.
inline constexpr std::array<std::string_view, 1> share_names = {"share"};

/// A list of names and the mark that an element gets for having one of them. In a name, | is the
/// edge of a word (a space, a hyphen, an underscore); a space is the edge of a whole name.
struct name_group {
  name_marks mark;
  std::span<const std::string_view> names;
};

/// Every list above, as the automaton of name_marks.cpp reads them.
inline constexpr name_group name_groups[] = {
    {mark::unlikely, unlikely_names}, {mark::maybe, maybe_names},
    {mark::positive, positive_names}, {mark::negative, negative_names},
    {mark::trimming, trimming_names}, {mark::hidden, hidden_names},
    {mark::share, share_names},
};

/// Share of a page's text: an element that has so much and is hidden waits for a script to show it
/// (pages that fade in, or come in pieces); a page does not hide its own content from its readers.
inline constexpr double shown_by_scripts = 0.75;

/// Roles of what is never the content.
inline constexpr std::array<std::string_view, 9> unlikely_roles = {
    "menu",        "menubar", "complementary", "navigation", "alert",
    "alertdialog", "dialog",  "banner",        "contentinfo"};

/// Elements that are never the content of an article.
inline constexpr std::array<html::tag_id, 3> boilerplate_elements = {
    html::tag_id::nav, html::tag_id::aside, html::tag_id::footer};

// Scores, as mozilla/readability gives them: a paragraph speaks for what is around it.
inline constexpr double positive_weight = 25, negative_weight = -25;
inline constexpr double div_weight = 5;    ///< an ordinary wrapper
inline constexpr double block_weight = 3;  ///< pre, td, blockquote: hold text of their own
inline constexpr double list_weight = -3;  ///< lists and forms: more often navigation
inline constexpr double heading_weight = -5;
inline constexpr std::uint32_t least_paragraph = 25;  ///< characters; shorter says nothing
inline constexpr std::uint32_t text_per_point = 100;  ///< a point for each so many characters ...
inline constexpr std::uint32_t most_text_points = 3;  ///< ... up to these: length is not all
inline constexpr int scored_ancestors = 5;
inline constexpr double sibling_share = 0.2;  ///< of the best score: a sibling that belongs to it
inline constexpr double least_sibling_score = 10;
inline constexpr double prose_link_density = 0.25;  ///< prose has fewer links than this

/// Below so many characters the choice was too strict and is made again more leniently.
inline constexpr std::uint32_t least_content = 500;
/// Below this share of the page's text outside navigation, what was chosen is not the whole of it.
inline constexpr double least_share = 0.25;
/// Density of links above which a block inside the content is a list of links elsewhere.
inline constexpr double menu_link_density = 0.5;

}  // namespace freshet::markdown::signals
