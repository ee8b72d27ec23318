// The signals by which pages that are no articles are recognised, and the names by which the fitted
// choice knows their parts, each with its reason. Nothing is decided here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace freshet::markdown::signals {

// Names of their parts. How a name is written: signals.hpp.

/// What surrounds the content of a page.
inline constexpr std::string_view surrounding_names[] = {
    "sidebar",         "site-header", "masthead",  "|footer|",   "sitefooter",
    "cookie",          "consent",     "gdpr",      "newsletter", "subscribe",
    "|signup",         "|ad|",        "|ads|",     "advert",     "sponsor",
    "|social",         "|share|",     "sharing",   "|related",   "recommend",
    "you-may-also",    "also-like",   "upsell",    "cross-sell", "crosssell",
    "recently-viewed", "minicart",    "mini-cart", "|login|",    "|search|",
    "spinner",         "skeleton",    "|loading|", "|loader|",   "instagram-feed",
    "instafeed",       "sb_instagram"};

/// What lies over a page until it is closed, or comes up when it is asked for.
inline constexpr std::string_view overlay_names[] = {"popup",  "modal",     "overlay",
                                                     "drawer", "offcanvas", "off-canvas",
                                                     "|toast", "tooltip",   "lightbox"};

/// How a product is bought: what every page of a shop says.
inline constexpr std::string_view purchase_names[] = {"shipping",
                                                      "delivery",
                                                      "|returns",
                                                      "payment",
                                                      "fulfillment",
                                                      "installment",
                                                      "financing",
                                                      "klarna",
                                                      "afterpay",
                                                      "protection-plan",
                                                      "sold-by",
                                                      "seller",
                                                      "buybox",
                                                      "buy-box",
                                                      "|stock|",
                                                      "giftcard",
                                                      "store-availability",
                                                      "reassurance"};

/// What a shop or a list is operated with.
inline constexpr std::string_view control_names[] = {
    "|filter",   "facet",       "|refine",    "|sort|",      "sorting",    "sort-by",  "toolbar",
    "load-more", "add-to-cart", "addtocart",  "add_to_cart", "add-to-bag", "quantity", "|qty|",
    "wishlist",  "|compare",    "quick-view", "quickview",   "quick-shop", "|btn|",    "|button|"};

/// What stands beside a post about its author, and what is done with a post.
inline constexpr std::string_view poster_names[] = {
    "signature",  "avatar",      "userextras",    "user-extras",    "usertitle",     "user-title",
    "userbanner", "postprofile", "profile-posts", "profile-joined", "reaction",      "|likes",
    "actionbar",  "action-bar",  "post-controls", "post-buttons",   "posting-icons", "postcontrols",
    "|reply|",    "vote",        "post-menu",     "user-info",      "badge",         "post-actions",
    "poll",       "similar",     "quickreply",    "expandlink"};

/// What a member puts below each of their posts, as forum software names it. The signature of a
/// post itself, who has written it and when, is another thing (Stack Exchange).
inline constexpr std::string_view signature_names[] = {" signature ",   "message-signature",
                                                       "__signature",   "signaturecontainer",
                                                       "usersignature", "postsignature"};

/// The text of a post, as forum software names it: XenForo, vBulletin, MyBB, phpBB, Discourse,
/// Stack Exchange, Invision, Kunena, bbPress, Khoros.
inline constexpr std::string_view post_body_names[] = {
    "message-body",      "bbwrapper",         "messagetext",
    "postcontent",       "post_message",      "post_body",
    "postbody",          " cooked ",          "s-prose",
    "ipsrichtext--user", "ipstype_richtext",  "kmsg",
    "bbp-reply-content", "bbp-topic-content", "message-body-content"};

/// The same, by names that remarks on articles have, too: enough only where the page says that it
/// is a thread.
inline constexpr std::string_view post_text_names[] = {
    "post-text",    "post-body",       "usercontent", "commtext", "usertext-body", "commentbody",
    "comment-body", "comment-content", "post__body",  "posttext", "forum-post",    "post-content"};

/// What only shops have.
inline constexpr std::string_view cart_names[] = {"add-to-cart", "addtocart", "add_to_cart",
                                                  "add-to-bag",  "addtobag",  "buybox"};
inline constexpr std::string_view price_names[] = {"price"};

/// What readers or customers say about the thing on the page.
inline constexpr std::string_view opinion_names[] = {"review", "rating", "|stars|", "testimonial",
                                                     "questions"};

// What pages say about their type.

/// Types of schema.org.
inline constexpr std::string_view article_types[] = {"Article",
                                                     "NewsArticle",
                                                     "BlogPosting",
                                                     "ReportageNewsArticle",
                                                     "TechArticle",
                                                     "Report",
                                                     "ScholarlyArticle",
                                                     "LiveBlogPosting",
                                                     "AnalysisNewsArticle",
                                                     "OpinionNewsArticle",
                                                     "Recipe",
                                                     "HowTo",
                                                     "AdvertiserContentArticle",
                                                     "Review"};
inline constexpr std::string_view thread_types[] = {"DiscussionForumPosting", "QAPage"};

/// Classes that themes give <body>: WordPress, Shopify, Magento, WooCommerce.
inline constexpr std::string_view article_themes[] = {
    " single-post ", " template-article ", " single-format-standard ", " page-node-type-article "};
inline constexpr std::string_view product_themes[] = {
    " single-product ", " template-product ", " catalog-product-view ", " page-type-product "};
inline constexpr std::string_view collection_themes[] = {
    " template-collection ", " catalog-category-view ",     " tax-product_cat ",
    " woocommerce-shop ",    " post-type-archive-product ", " page-type-category "};
inline constexpr std::string_view listing_themes[] = {
    " archive ", " category ", " blog ", " search-results ", " template-blog ", " tag "};

/// Parts of addresses.
inline constexpr std::string_view article_paths[] = {
    "/blog/",    "/blogs/", "/news/",  "/article/", "/articles/", "/story/",
    "/stories/", "/post/",  "/posts/", "/pulse/",   "/p/",        "/journal/"};
inline constexpr std::string_view product_paths[] = {"/product/", "/products/", "/dp/", "/ip/"};
inline constexpr std::string_view collection_paths[] = {
    "/collections/", "/category/", "/categories/", "/shop/", "/cat/", "/c/"};
inline constexpr std::string_view listing_paths[] = {"/tag/", "/tags/", "/topic/", "/list/",
                                                     "/search"};
inline constexpr std::string_view documentation_paths[] = {
    "/docs/", "/doc/", "/documentation/", "/reference/", "/manual/", "/api/"};

/// Addresses and names of sites where posts are those of a thread.
inline constexpr std::string_view forum_addresses[] = {
    "forum", "/threads/", "/thread-", "viewtopic", "showthread", "/discussion/", "/questions/"};

/// Software that names itself.
inline constexpr std::string_view documentation_generators[] = {
    "sphinx", "docusaurus", "mkdocs", "gitbook", "mdbook", "docfx", "vuepress", "vitepress"};
/// Those of manuals that have little beside their text, and that in elements of its own.
inline constexpr std::string_view manual_generators[] = {
    "javadoc", "rustdoc", "asciidoc", "docbook",  "doxygen",  "groff",
    "devhelp", "gtk-doc", "publican", "makeinfo", "texi2any", "latex2html"};
inline constexpr std::string_view forum_generators[] = {
    "discourse", "phpbb", "vbulletin", "xenforo", "mybb", "flarum", "invision"};

// How much it takes.

/// So many prices are those of a shelf, so many posts a thread.
inline constexpr std::size_t many_prices = 8, least_posts = 2;
/// So many remarks that hold most of a page's text, beside so little prose: what they are about is
/// only their occasion. It may be longer where the page does not say that it is an article.
inline constexpr std::size_t many_remarks = 20, prose_of_occasion = 1200, prose_of_story = 3000;
inline constexpr double share_of_remarks = 0.6;

}  // namespace freshet::markdown::signals
