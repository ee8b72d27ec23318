// The signals by which content is told from what surrounds it, each with its reason: the one place
// where heuristics and their weights stand. Nothing is decided here.
#pragma once

#include <array>
#include <cstdint>
#include <html/tag.hpp>
#include <markdown/tree/name_marks.hpp>
#include <markdown/tree/type_signals.hpp>
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
    "-ad-",    " hid ",    "contact", "hidden",   "banner",    "combx",   "comment",
    "com-",    "footer",   "gdpr",    "masthead", "media",     "meta",    "outbrain",
    "promo",   "related",  "scroll",  "share",    "shoutbox",  "sidebar", "skyscraper",
    "sponsor", "shopping", "tags",    "widget",   "newsletter"};

/// Names of what stands inside an article without being its text, by what it is. An element with
/// one is dropped inside the content unless it is much of it.
/// Teasers of other pages.
inline constexpr std::string_view related_names[] = {
    "related",   "recommend",    "read-more",    "readmore",  "read-next",        "readnext",
    "more-from", "morefrom",     "more-stories", "most-read", "mostread",         "most-popular",
    "trending",  "also-read",    "also-like",    "also_like", "you-may",          "outbrain",
    "taboola",   "revcontent",   "zergnet",      "yarpp",     "inline-link-list", "recirc",
    "next-post", "next-article", "upnext",       "up-next",   "teaser",           "see-also-box",
    "similar-"};
/// Requests to register, to pay or to follow.
inline constexpr std::string_view request_names[] = {
    "newsletter", "subscribe", "subscription", "signup",   "sign-up", "mailing-list",   "mc_embed",
    "mailchimp",  "paywall",   "donate",       "donation", "promo",   "call-to-action", "|cta|",
    "cookie",     "consent",   "gdpr",         "regwall",  "opt-in",  "optin"};
/// Bars to share, print or vote.
inline constexpr std::string_view sharing_names[] = {
    "share",   "sharing",    "|social|", "socials|", "social-", "addtoany", "addthis",
    "toolbar", "print-only", "|rating|", "reaction", "|vote|",  "feedback", "was-this-helpful"};
/// What readers said.
inline constexpr std::string_view comment_names[] = {"|comments|",   "commentlist", "comment-list",
                                                     "comment-form", "disqus",      "|respond|"};
/// Advertisements.
inline constexpr std::string_view advert_names[] = {
    "|ad|",    "|ads|",    "advert",     "adsbygoogle", "sponsor",
    "|dfp|",   "googlead", "google-ad",  "ad-slot",     "adslot",
    "ad_slot", "ad-unit",  "affiliate-", "werbung",     "publicidad"};
/// Boxes with the name of who wrote it, or of who posted it.
inline constexpr std::string_view author_names[] = {"author", "byline", "username", "post-user",
                                                    "postleft"};
/// What stands beside such a name, or holds the name of somebody else; whole posts, whose names say
/// who wrote them; and words that only begin as "author" does.
inline constexpr std::string_view beside_author_names[] = {
    "comment",      "avatar",   "image",       "photo",    "social",   "related",  "quote",
    "authors-list", "review",   "testimonial", "login",    "reply",    "|hentry|", "no-byline",
    "no-author",    "authoriz", "authoris",    "authorit", "authoring"};
/// Who wrote it, when, and under which key words: the page's metadata say so.
inline constexpr std::string_view about_names[] = {
    "byline",       "author-bio",       "authorbio",      "author-box",     "authorbox",
    "about-author", "about-the-author", "author-info",    "author-card",    "author-block",
    "author-meta",  "|author|",         "|authors|",      "post-meta",      "entry-meta",
    "article-meta", "postmeta",         "post-info",      "postinfo",       "article-info",
    "timestamp",    "|pubdate|",        "publish-date",   "published-date", "post-date",
    "entry-date",   "article-date",     "date-published", "dateline",       "|date|",
    "|dates|",      "reading-time",     "read-time",      "readtime",       "tag-list",
    "taglist",      "tagcloud",         "post-tags",      "article-tags",   "entry-tags",
    "|tags|",       "cat-links",        "tags-links",     "|keywords|",     "entry-footer",
    "post-footer",  "article-footer",   "|credits|",      "contributors"};
/// Ways through the site.
inline constexpr std::string_view passage_names[] = {
    "breadcrumb", "pagination", "|pager|",           "post-nav",        "nav-links",
    "postnav",    "skip-link",  "back-to-top",       "backtotop",       "prev-next",
    "prevnext",   "|toc|",      "table-of-contents", "tableofcontents", "jump-link"};
/// Lines under pictures: about the picture, not of the text.
inline constexpr std::string_view caption_names[] = {
    "caption",      "photo-credit", "image-credit", "photocredit", "imagecredit", "img-credit",
    "media-credit", "image-source", "photo-by",     "copyright",   "|credit|",    "-credit|"};

/// Names of texts for screen readers, which libraries of styles put a prefix to, and of what is
/// shown only after a click.
inline constexpr std::array<std::string_view, 12> hidden_names = {
    " sr-only ", "|visually-hidden ",     "|visuallyhidden ",     "|screen-reader-text ",
    " sr_only ", "|screenreader-only ",   " a11y-hidden ",        " u-hidden ",
    " d-none ",  " rich-snippet-hidden ", "|screen-reader-only ", "|hidden-accessible "};
/// Galleries that open over the page: a work beside the article, with headings of its own.
inline constexpr std::string_view gallery_names[] = {"gallery", "slideshow", "lightbox"};

/// Names of what a click opens: accordions, tabs, answers.
inline constexpr std::string_view opened_names[] = {
    "accordion", "collaps", "|tab|",  "tab-",      "tabs|",     "toggle",   "expand",    "|faq",
    "answer",    "|panel",  "drawer", "|details|", "read-more", "readmore", "show-more", "slide"};

/// A list of names and the mark that an element gets for having one of them. In a name, | is the
/// edge of a word (a space, a hyphen, an underscore); a space is the edge of a whole name.
struct name_group {
  name_marks mark;
  std::span<const std::string_view> names;
};

/// Every list above and in type_signals.hpp, as the automaton of name_marks.cpp reads them.
inline constexpr name_group name_groups[] = {
    {mark::unlikely, unlikely_names},   {mark::maybe, maybe_names},
    {mark::positive, positive_names},   {mark::negative, negative_names},
    {mark::related, related_names},     {mark::request, request_names},
    {mark::sharing, sharing_names},     {mark::comment, comment_names},
    {mark::advert, advert_names},       {mark::about, about_names},
    {mark::author, author_names},       {mark::beside_author, beside_author_names},
    {mark::passage, passage_names},     {mark::caption, caption_names},
    {mark::hidden, hidden_names},       {mark::opened, opened_names},
    {mark::gallery, gallery_names},     {mark::surroundings, surrounding_names},
    {mark::controls, control_names},    {mark::poster, poster_names},
    {mark::post_body, post_body_names}, {mark::post_text, post_text_names},
    {mark::cart, cart_names},           {mark::price, price_names},
    {mark::opinions, opinion_names},    {mark::overlay, overlay_names},
    {mark::purchase, purchase_names},   {mark::signature, signature_names},
};

/// Every list has a bit of its own.
static_assert([] {
  name_marks seen = 0;
  for (const auto& group : name_groups) {
    if ((seen & group.mark) != 0) return false;
    seen |= group.mark;
  }
  return true;
}());

// clang-format off
/// Lines that stand between the paragraphs of an article without being text; folded, whole.
inline constexpr std::string_view aside_lines[] = {
    // English.
    "advertisement", "advert", "ad", "ads", "advertising", "sponsored", "sponsored content",
    "story continues below advertisement", "article continues after advertisement",
    "continue reading below", "continue reading", "continue reading the main story", "read more",
    "read next", "read full story", "learn more", "show more", "see more", "view more", "more",
    "skip advertisement", "skip ad", "scroll to continue", "play video", "watch video", "video",
    "close", "caption", "share", "share this", "share this article", "share this story", "tweet",
    "email", "print", "print article", "save", "like", "copy link", "copy", "comment", "comments",
    "leave a comment", "reply", "follow us", "follow", "subscribe", "sign up", "sign in", "log in",
    "loading", "loading...", "getty", "getty images", "photo", "image", "advertise", "enlarge",
    "text size", "order reprints", "by", "toggle caption", "hide caption", "back to top", "top",
    "previous", "next", "this slideshow requires javascript.", "table of contents", "contents",
    // German.
    "anzeige", "werbung", "weiterlesen", "mehr lesen", "teilen", "drucken", "kommentare",
    "kommentieren", "zur startseite", "nach oben", "merken", "artikel teilen",
    // French.
    "publicité", "annonce", "partager", "commenter", "lire la suite",
    // Spanish.
    "publicidad", "anuncio", "compartir", "imprimir", "comentarios", "leer más",
    // Portuguese.
    "publicidade", "compartilhar", "leia mais",
    // Italian.
    "pubblicità", "annuncio", "condividi", "commenta", "leggi tutto",
    // Dutch.
    "reclame", "advertentie",
    // Polish, Turkish and Scandinavian.
    "reklama", "reklam",
    // Russian and Ukrainian.
    "реклама", "поделиться",
    // Chinese, Japanese and Korean.
    "广告", "広告", "シェア", "シェアする", "分享", "광고",
};
// clang-format on

// clang-format off
/// How such lines begin where they name something; folded.
inline constexpr std::string_view aside_starts[] = {
    // English.
    "related:", "related :", "related stories:", "related articles:", "related story:",
    "read more:", "read also:", "also read:", "also read |", "read |", "read:", "read next:",
    "see also:", "more:", "more on ", "more from ", "watch:", "watch |", "listen:", "recommended:",
    "don't miss:", "also:", "must read:", "you may also like", "click here to", "click here for",
    "sign up for", "sign up to", "subscribe to", "follow us on", "follow @", "join our",
    "join us on", "share on ", "share this", "image credit", "image:", "(image", "image source",
    "photo:", "(photo", "photo by", "photo credit", "photos by", "photograph by", "photograph:",
    "picture:", "credit:", "©", "copyright", "getty images/", "image caption", "image copyright",
    "media caption", "media playback is unsupported", "image ©", "posted on ", "posted by ",
    "posted in ", "published on ", "published:", "published by ", "filed under", "last updated",
    "last modified", "updated:", "tags:", "tagged:", "tagged with", "categories:", "category:",
    "topics:", "keywords:", "leave a reply", "leave a comment", "write to ", "contact us at",
    "email us at", "enter your email", "your email address", "this post may contain affiliate",
    "this article may contain affiliate", "this post contains affiliate",
    "this post contains references", "this article contains affiliate",
    "this article contains references", "this site uses akismet", "this page contains affiliate",
    "min read",
    // German.
    "lesen sie auch", "lies auch", "mehr zum thema", "mehr dazu", "lesen sie mehr",
    "auch interessant", "das könnte sie auch", "das könnte dich auch", "auch lesen",
    "lust auf mehr", "zurück zur", "vorschau auf den", "foto:", "fotos:", "bild:", "(foto",
    "quelle:", "bildquelle", "symbolbild", "schlagworte:", "stichworte:", "kategorien:",
    // French.
    "lire aussi", "à lire aussi", "à lire :", "voir aussi", "crédit photo", "crédit :", "photo :",
    // Spanish.
    "lea también", "leer también", "lee también", "le puede interesar", "te puede interesar",
    "ver también", "vea también", "más información", "puede leer", "(lea", "lea:", "etiquetas:",
    // Portuguese.
    "leia também", "leia mais", "veja também", "saiba mais",
    // Italian.
    "leggi anche", "guarda anche", "vedi anche",
    // Dutch.
    "lees ook", "lees meer", "bekijk ook",
    // Polish, Turkish and Scandinavian.
    "zobacz też", "zobacz także", "czytaj też", "czytaj także", "przeczytaj", "fot.", "läs också",
    "les også", "læs også",
    // Russian and Ukrainian.
    "читайте также", "читайте також", "фото:", "теги:",
    // Chinese, Japanese and Korean.
    "関連記事", "相关阅读", "延伸閱讀",
};
// clang-format on

// clang-format off
/// Headings over what is not the article.
inline constexpr std::string_view aside_headings[] = {
    // English.
    "see also:", "also read", "more:", "more like this", "what's next", "explore more",
    "you may be interested", "you might like", "others also", "people also", "from our partners",
    "from the web", "sponsored", "around the web", "advertisement", "in other news", "top stories",
    "must read", "about us", "about this article", "contributors", "credits", "share your",
    "rate this", "was this", "thanks for reading", "our newsletter", "weekly newsletter", "get our",
    "never miss", "stay in touch", "stay informed", "stay connected", "support us", "donate",
    "become a", "subscribe to", "related", "more from", "more on", "more in", "more stories",
    "more news", "more articles", "recommended", "you may also", "you might also", "you may like",
    "read next", "read more", "also on", "up next", "next article", "previous article", "popular",
    "most popular", "most read", "trending", "latest news", "latest articles", "latest posts",
    "latest stories", "recent posts", "recent articles", "similar articles", "similar posts",
    "further reading", "keep reading", "what to read next", "editors' picks", "editor's picks",
    "don't miss", "about the author", "about author", "written by", "author", "share this", "share",
    "subscribe", "newsletter", "sign up", "stay up to date", "get the latest", "join our",
    "follow us", "comments", "leave a reply", "leave a comment", "post a comment",
    "join the conversation", "categories", "tags", "topics", "archives", "in this article",
    "on this page", "table of contents", "contents",
    // German.
    "lesen sie", "lies auch", "mehr lesen", "neueste artikel", "neueste beiträge", "mehr dazu",
    "mehr aus", "mehr von", "mehr zu", "weiterführende", "links zum", "mehr zum thema",
    "weitere artikel", "weitere themen", "das könnte", "auch interessant", "ähnliche", "verwandte",
    "kommentare", "kommentar", "schlagworte", "über den autor", "zum thema", "themen",
    // French.
    "derniers articles", "voir aussi", "lire aussi", "à lire", "articles similaires",
    "à lire aussi", "sur le même sujet", "dans la même", "commentaires",
    // Spanish.
    "últimas noticias", "lea también", "leer también", "le puede interesar", "lo más",
    "artículos relacionados", "noticias relacionadas", "te puede interesar", "también te puede",
    "comentarios",
    // Portuguese.
    "leia mais", "mais lidas", "artigos relacionados", "veja também", "leia também",
    // Italian.
    "ultime notizie", "leggi anche", "articoli correlati", "potrebbe interessarti", "commenti",
    // Dutch.
    "lees meer", "gerelateerd", "lees ook", "reacties",
    // Polish, Turkish and Scandinavian.
    "zobacz", "czytaj", "polecane", "læs også", "läs också", "les også", "zobacz też", "podobne",
    "komentarze",
    // Russian and Ukrainian.
    "читайте также", "комментар",
    // Chinese, Japanese and Korean.
    "関連記事", "相关",
};
// clang-format on
/// The first bytes of what ends a sentence outside ASCII: general punctuation, guillemets, the
/// Arabic, Urdu, Hindi, ideographic and full-width marks, and emoji.
inline constexpr std::array<std::string_view, 12> marks_of_sentences = {
    "\xE2\x80",     "\xE2\x81",     "\xC2\xAB",     "\xC2\xBB", "\xD8\x9F", "\xDB\x94",
    "\xE0\xA5\xA4", "\xE3\x80\x82", "\xE3\x80\x8D", "\xEF\xBC", "\xEF\xBD", "\xF0\x9F"};

/// Share of prose in the text from which on it reads as an article with a beginning and an end.
inline constexpr double article_prose = 0.6;
inline constexpr std::uint32_t longest_aside = 160;  ///< characters of such a line

/// Share of a page's text: an element that has so much and is hidden waits for a script to show it
/// (pages that fade in, or come in pieces); a page does not hide its own content from its readers.
inline constexpr double shown_by_scripts = 0.75;
/// Where a page has no scripts: so much text and more, the page itself, was shown by those that it
/// has lost. What somebody hides on purpose is shorter.
inline constexpr std::uint32_t least_unscripted = 2000;
/// Share of a page's prose: what one selector of a page's own sheets hides in several places, or in
/// one, waits for a script, too.
inline constexpr double shown_of_selector = 0.2, shown_of_part = 0.4;
/// The same of a page whose parts are hidden one by one, if no more than this is left.
inline constexpr double left_by_scripts = 0.05;
/// Columns of a line that opens the part after it: the title of a part of an accordion.
inline constexpr std::uint32_t least_switch_title = 5, most_switch_title = 200;
inline constexpr std::uint32_t most_tab_name = 60;

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
inline constexpr std::uint32_t least_prose = 80;    ///< columns of a block that reads as prose
inline constexpr double prose_link_density = 0.25;  ///< prose has fewer links than this

/// What a page declares to be its content is taken instead of a part of it that was chosen, if the
/// choice would lose so much of its prose, and if it is not mostly links.
inline constexpr double lost_prose = 0.15;
inline constexpr double wrapper_link_density = 0.33;
/// So many slides make a gallery, and so much prose outside of it makes it a part of an article.
inline constexpr std::uint32_t least_slides = 8, least_prose_beside_gallery = 1000;

/// Below so many characters the choice was too strict and is made again more leniently.
inline constexpr std::uint32_t least_content = 500;
/// So much prose in a part of the content is content, whatever the part is called.
inline constexpr std::uint32_t enough_prose = 200;
/// Density of links above which a block inside the content is a list of links elsewhere.
inline constexpr double menu_link_density = 0.5;

/// How the beginning of another page's text ends, and how many of them at the end of an article are
/// the teasers of others.
inline constexpr std::string_view ends_of_excerpts[] = {"…", "...", "[…]", "[...]", "(…)", "(...)"};
inline constexpr std::size_t least_excerpts = 2;

/// Headings that are links, so many at the end of an article, with so little below each: cards of
/// other pages.
inline constexpr double mostly_link = 0.9;
inline constexpr std::size_t least_cards = 2;
inline constexpr std::uint32_t longest_card = 300;

}  // namespace freshet::markdown::signals
