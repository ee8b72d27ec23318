// The signals by which pages that are no articles are recognised and cleaned, each with its reason.
// Nothing is decided here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace freshet::markdown::signals {

// Names of what is left out of them, and of what is kept. How a name is written: signals.hpp.

/// What serves to move about a site.
inline constexpr std::string_view moving_names[] = {
    "breadcrumb", "|nav|",   "navbar",  "navigation", "|menu|",    "megamenu",    "mega-menu",
    "pagination", "|pager|", "pagenav", "page-nav",   "skip-link", "back-to-top", "|crumbs|"};

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

/// How headings begin under which stands what else there is.
inline constexpr std::string_view side_titles[] = {
    "related",         "you may also",        "you might also",
    "recently viewed", "recommended for you", "customers also",
    "people also",     "more from",           "more like this",
    "similar ",        "frequently bought",   "sponsored",
    "explore more",    "popular right now",   "das könnte",
    "ähnliche",        "vous aimerez",        "también te"};

/// The same on the page of a product.
inline constexpr std::string_view purchase_titles[] = {
    "shipping",   "delivery",     "returns",       "reviews",          "customer reviews",
    "ratings",    "payment",      "how to get it", "more seller",      "other sellers",
    "as seen on", "get the look", "questions &",   "compare ",         "accessories for",
    "share this", "pairs well",   "complete the",  "meet your seller", "how do you want your item"};

/// What short lines on the page of a product say about buying it, wherever in the line: of its
/// price, its way to the buyer and the shop, not of the thing.
inline constexpr std::string_view purchase_phrases[] = {
    "add to cart",        "add to bag",       "add to basket",
    "add to wishlist",    "wish list",        "in stock",
    "out of stock",       "left in stock",    "low in stock",
    "free shipping",      "ships from",       "sold by",
    "vat included",       "plus shipping",    "tax included",
    "installments",       "interest-free",    "pay later",
    "pay in 4",           "ways to pay",      "payment options",
    "gift card",          "sign in",          "log in",
    "signed in",          "my cart",          "free returns",
    "easy returns",       "returns accepted", "exchanges accepted",
    "price match",        "store pickup",     "check availability",
    "available services", "trade in",         "ask an expert",
    "write a review",     "read reviews",     "see all reviews",
    "your first order",   "learn more about", "size guide",
    "choose options",     "select options",   "notify me"};

/// What a reader agrees to by giving an address, and how a shop keeps its promises.
inline constexpr std::string_view consent_phrases[] = {
    "privacy policy", "terms of service", "terms and conditions", "by providing my email",
    "by signing up",  "by subscribing",   "enter your email",     "purchase protection",
    "your data",      "unsubscribe"};

/// What a shop or a list is operated with.
inline constexpr std::string_view control_names[] = {
    "|filter",   "facet",       "|refine",    "|sort|",      "sorting",    "sort-by",  "toolbar",
    "load-more", "add-to-cart", "addtocart",  "add_to_cart", "add-to-bag", "quantity", "|qty|",
    "wishlist",  "|compare",    "quick-view", "quickview",   "quick-shop", "|btn|",    "|button|"};

/// Roles of what is operated, whatever element it is.
inline constexpr std::string_view control_roles[] = {
    "checkbox", "combobox", "radio",      "searchbox", "slider",
    "switch",   "textbox",  "spinbutton", "scrollbar", "menuitemcheckbox"};

/// What stands beside a post about its author, and what is done with a post.
inline constexpr std::string_view poster_names[] = {
    "signature",  "avatar",      "userextras",    "user-extras",    "usertitle",     "user-title",
    "userbanner", "postprofile", "profile-posts", "profile-joined", "reaction",      "|likes",
    "actionbar",  "action-bar",  "post-controls", "post-buttons",   "posting-icons", "postcontrols",
    "|reply|",    "vote",        "post-menu",     "user-info",      "badge",         "post-actions",
    "poll",       "similar",     "quickreply",    "expandlink"};

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

/// Who wrote a post.
inline constexpr std::string_view post_author_names[] = {"username", "user-name",  "author",
                                                         "poster",   "postername", "|creator|",
                                                         "nickname", "membername", "display-name"};

/// When.
inline constexpr std::string_view post_date_names[] = {"|date|",   "post-time", "|posted|",
                                                       "postdate", "timestamp", "|time|"};

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
    "sphinx", "docusaurus", "mkdocs",    "gitbook", "mdbook",
    "docfx",  "vuepress",   "vitepress", "doxygen"};
inline constexpr std::string_view forum_generators[] = {
    "discourse", "phpbb", "vbulletin", "xenforo", "mybb", "flarum", "invision"};

// What makes a page more than the article in it, as shares of the article's text. Fitted on half of
// the pages of a corpus, verified on the other half.

/// A page that says it is an article is one unless there is as much prose again, and hardly a link:
/// what else stands around articles is teasers and remarks.
inline constexpr double prose_beyond_article = 0.6, links_beyond_article = 0.15;
/// The same of a page whose theme says so of every page.
inline constexpr double prose_beyond_hint = 0.7, links_beyond_hint = 0.25;
/// The same of a page that says nothing: half an article more is not by chance.
inline constexpr double prose_beyond_nothing = 0.25, links_beyond_nothing = 0.5;
/// Lists and home pages have introductions.
inline constexpr double text_beyond_introduction = 0.5, links_in_list = 0.3;
/// A text this short beside so much more is not what the page is about.
inline constexpr std::uint32_t short_article = 1000, no_article = 200;
inline constexpr double text_beyond_short = 1.5, links_beyond_short = 0.3;

/// Blocks that repeat make a list if they are so many and hold this share of the text.
inline constexpr std::size_t many_blocks = 6;
inline constexpr double list_share = 0.4;
/// So many prices are those of a shelf, so many posts a thread.
inline constexpr std::size_t many_prices = 8, least_posts = 2;
/// So many remarks that hold most of a page's text, beside so little prose: what they are about is
/// only their occasion. It may be longer where the page does not say that it is an article.
inline constexpr std::size_t many_remarks = 20, prose_of_occasion = 1200, prose_of_story = 3000;
inline constexpr double share_of_remarks = 0.6;

}  // namespace freshet::markdown::signals
