// Pages and schemas to values with their provenance: pages of shops and papers, and such as say
// nothing for machines.
#include <base/json.hpp>
#include <catch2/catch.hpp>
#include <extract/evidence.hpp>
#include <extract/extract.hpp>
#include <support/print_result.hpp>

namespace freshet::extract {
namespace {

using texts = std::vector<std::string>;

extracted_data take(const std::string& page, const std::string& selector) {
  const auto made = schema::compile(selector);
  INFO((made ? std::string() : made.error().detail()));
  REQUIRE(made);
  return extract({page, "https://a.example/shop/anvil"}, *made);
}

std::string value_of(const std::string& page, const std::string& selector) {
  return take(page, selector).value.text;
}

/// "pointer found_in path" of every value.
texts places(const extracted_data& of) {
  texts out;
  for (const auto& one : of.sources)
    out.push_back(one.pointer + " " + one.found_in + " " + one.path);
  return out;
}

std::string script(const std::string& json) {
  return "<script type='application/ld+json'>" + json + "</script>";
}

const std::string organisation =
    script(R"({"@context":"https://schema.org","@type":"Organization","name":"Acme","url":"/",)"
           R"("logo":"/logo.png"})");
const std::string product = script(
    R"({"@context":"https://schema.org/","@type":"Product","name":"Stilling Well","image":)"
    R"(["/1.jpg","https://b.example/2.jpg"],"description":"Calmer than <b>ACME's</b> Classic &amp; )"
    R"(cheaper","sku":"4711","brand":{"@type":"Brand","name":"ACME"},"aggregateRating":)"
    R"({"@type":"AggregateRating","ratingValue":"4.4","reviewCount":"89"},"offers":{"@type":"Offer",)"
    R"("url":"https://a.example/anvil","priceCurrency":"USD","price":"1,119.99","availability":)"
    R"("https://schema.org/InStock"},"review":[{"@type":"Review","author":{"name":"Fred"},)"
    R"("reviewRating":{"ratingValue":4}},{"@type":"Review","author":"Ann","reviewRating":)"
    R"({"ratingValue":"2"}}]})");

}  // namespace

TEST_CASE("extract: a product of JSON-LD, under the names that callers use") {
  const auto got = take("<title>Anvil | Acme</title>" + organisation + product,
                        R"({"type":"object","required":["name","price","weight"],"properties":{
    "name":{"type":"string"},"price":{"type":"number"},"currency":{"type":"string"},
    "in_stock":{"type":"boolean"},"brand":{"type":"string"},"rating":{"type":"number"},
    "review_count":{"type":"integer"},"images":{"type":"array","items":{"type":"string",
    "format":"uri"}},"description":{"type":"string"},"weight":{"type":"number"},
    "reviews":{"type":"array","items":{"type":"object","properties":{"author":{"type":"string"},
    "rating":{"type":"integer"}}}}}})");
  CHECK(got.value.text ==
        R"({"name":"Stilling Well","price":1119.99,"currency":"USD","in_stock":true,)"
        R"("brand":"ACME","rating":4.4,"review_count":89,"images":["https://a.example/1.jpg",)"
        R"("https://b.example/2.jpg"],"description":"Calmer than ACME's Classic & cheaper",)"
        R"("reviews":[{"author":"Fred","rating":4},{"author":"Ann","rating":2}]})");
  CHECK(got.missing == texts{"/weight"});
  CHECK(places(got) ==
        texts{"/name json-ld Product/name", "/price json-ld Product/offers/price",
              "/currency json-ld Product/offers/priceCurrency",
              "/in_stock json-ld Product/offers/availability", "/brand json-ld Product/brand",
              "/rating json-ld Product/aggregateRating/ratingValue",
              "/review_count json-ld Product/aggregateRating/reviewCount",
              "/images/0 json-ld Product/image/0", "/images/1 json-ld Product/image/1",
              "/description json-ld Product/description",
              "/reviews/0/author json-ld Product/review/0/author",
              "/reviews/0/rating json-ld Product/review/0/reviewRating/ratingValue",
              "/reviews/1/author json-ld Product/review/1/author",
              "/reviews/1/rating json-ld Product/review/1/reviewRating/ratingValue"});
}

TEST_CASE("extract: objects in objects, and a text where an object is wanted") {
  const std::string by = R"({"properties":{"product":{"type":"object","properties":{"name":
    {"type":"string"},"brand":{"type":"object","properties":{"name":{"type":"string"},"url":
    {"type":"string"}}},"offers":{"type":"object","properties":{"price":{"type":"string"}}}}}}})";
  CHECK(value_of(organisation + product, by) ==
        R"({"product":{"name":"Stilling Well","brand":{"name":"ACME"},)"
        R"("offers":{"price":"1,119.99"}}})");
  CHECK(value_of(script(R"({"@type":"Product","name":"A","brand":"B"})"), by) ==
        R"({"product":{"name":"A","brand":{"name":"B"}}})");
}

TEST_CASE("extract: a graph, and what it refers to by @id") {
  const auto page = script(
      R"({"@context":"https://schema.org","@graph":[{"@type":"WebSite","@id":"#site","name":"Tides"},)"
      R"({"@type":"Person","@id":"#ines","name":"Ines Castellan","url":"/ines"},)"
      R"({"@type":["NewsArticle","Article"],"headline":"High water","author":{"@id":"#ines"},)"
      R"("isPartOf":{"@id":"#site"},"datePublished":"2026-10-12T23:30:00-02:00",)"
      R"("keywords":"tides, harbours , gauges"}]})");
  CHECK(
      value_of(page, R"({"properties":{"title":{"type":"string"},"author":{"type":"object",
      "properties":{"name":{"type":"string"},"url":{"type":"string","format":"uri"}}},
      "published_at":{"type":"string","format":"date-time"},"date":{"type":"string",
      "format":"date"},"tags":{"type":"array","items":{"type":"string"}}}})") ==
      R"({"title":"High water","author":{"name":"Ines Castellan","url":"https://a.example/ines"},)"
      R"("published_at":"2026-10-13T01:30:00Z","date":"2026-10-12",)"
      R"("tags":["tides","harbours","gauges"]})");
}

TEST_CASE("extract: a recipe and events, as microdata") {
  const std::string recipe =
      "<div itemscope itemtype='https://schema.org/Recipe'><span itemprop=name>Harbour Chowder"
      "</span> By <span itemprop=author>Ines Castellan</span>, <meta itemprop=datePublished "
      "content='2026-05-08'>May 8<img itemprop=image src='chowder.jpg'><div itemprop=nutrition "
      "itemscope itemtype='https://schema.org/NutritionInformation'><span itemprop=calories>240 "
      "calories</span></div><ul><li itemprop=recipeIngredient>3 potatoes<li "
      "itemprop=recipeIngredient>1 cod</ul>Yield: <span itemprop=recipeYield>4 bowls</span></div>";
  const auto got = take(recipe, R"({"properties":{"name":{},"author":{},"image":{"format":"uri"},
      "calories":{"type":"integer"},"ingredients":{"type":"array","items":{"type":"string"}},
      "servings":{"type":"string"},"date_published":{"format":"date"}}})");
  CHECK(
      got.value.text ==
      R"({"name":"Harbour Chowder","author":"Ines Castellan",)"
      R"("image":"https://a.example/shop/chowder.jpg","calories":240,)"
      R"("ingredients":["3 potatoes","1 cod"],"servings":"4 bowls","date_published":"2026-05-08"})");
  CHECK(places(got)[3] == "/calories microdata Recipe/nutrition/calories");
  const std::string events =
      "<div itemscope itemtype='http://schema.org/Event'><a itemprop=url href='regatta.html'><span "
      "itemprop=name>Regatta of the Outer Harbour</span></a><meta itemprop=startDate "
      "content='2026-04-21T20:00'><div itemprop=location itemscope "
      "itemtype='http://schema.org/Place'>"
      "<div itemprop=address itemscope itemtype='http://schema.org/PostalAddress'><span "
      "itemprop=addressLocality>Brest</span></div></div><div itemprop=offers itemscope "
      "itemtype='http://schema.org/AggregateOffer'>From <span "
      "itemprop=lowPrice>$35</span></div></div>"
      "<div itemscope itemtype='http://schema.org/Event'><b itemprop=name>Other</b></div>";
  CHECK(value_of(events, R"({"properties":{"events":{"type":"array","items":{"properties":{
      "name":{},"starts_at":{"format":"date-time"},"city":{},"price":{"type":"number"},
      "url":{"format":"uri"}}}}}})") ==
        R"({"events":[{"name":"Regatta of the Outer Harbour",)"
        R"("starts_at":"2026-04-21T20:00:00Z","city":"Brest","price":35,)"
        R"("url":"https://a.example/shop/regatta.html"},{"name":"Other"}]})");
  // The root itself may be the list.
  CHECK(value_of(events, R"({"type":"array","x-type":"Event","maxItems":1,"items":{"properties":
      {"name":{}}}})") == R"([{"name":"Regatta of the Outer Harbour"}])");
}

TEST_CASE("extract: OpenGraph, <meta> and the page itself, in this order") {
  const auto got = take(
      "<html lang=en><title>The page</title><meta property='og:title' content='The graph'>"
      "<meta property='product:price:amount' content='12.50'><meta name=author content='Ann'>"
      "<meta property='og:image' content='/a.png'><meta property='article:published_time' "
      "content='2026-10-02'><h1>The head</h1>",
      R"({"properties":{"title":{},"price":{"type":"number"},"author":{},"language":{},
         "image":{"format":"uri"},"published":{"format":"date"},"headline":{},"url":{}}})");
  CHECK(got.value.text ==
        R"({"title":"The graph","price":12.5,"author":"Ann","language":"en",)"
        R"("image":"https://a.example/a.png","published":"2026-10-02","headline":"The graph",)"
        R"("url":"https://a.example/shop/anvil"})");
  CHECK(places(got) == texts{"/title opengraph og:title", "/price opengraph product:price:amount",
                             "/author meta author", "/language page lang",
                             "/image opengraph og:image",
                             "/published opengraph article:published_time",
                             "/headline opengraph og:title", "/url page url"});
}

TEST_CASE("extract: what a <meta> says as OpenGraph it says though it is microdata, too") {
  const auto got = take(
      "<title>Page</title><meta itemprop=image property='og:image' content='/a.png'>"
      "<meta itemprop=description name=description content='Calm.'>",
      R"({"type":"object","properties":{"image":{"type":"string"},)"
      R"("description":{"type":"string"}}})");
  CHECK(places(got) == texts{"/image opengraph og:image", "/description meta description"});
}

TEST_CASE("extract: tables of names, of rows and by column") {
  const std::string page =
      "<table><caption>Data</caption><tr><th>Weight:<td>12 kg<tr><th>Colour<td>Blue</table>"
      "<table><caption>Gauges</caption><thead><tr><th>Kind<th>Accuracy<th>Upkeep</thead>"
      "<tr><td>Float<td>10 mm<td>Every year<tr><td>Radar<td>3 mm<td>Hardly any</table>"
      "<dl><dt>Made in<dd>Brest</dl>";
  const auto got = take(page, R"({"properties":{"weight":{"type":"number"},"colour":{},
      "made_in":{},"gauges":{"type":"array","items":{"properties":{"kind":{},"accuracy":
      {"type":"integer"}}}},"kinds":{"type":"array","items":{}}}})");
  CHECK(got.value.text ==
        R"({"weight":12,"colour":"Blue","made_in":"Brest","gauges":[{"kind":"Float",)"
        R"("accuracy":10},{"kind":"Radar","accuracy":3}],"kinds":["Float","Radar"]})");
  CHECK(places(got)[0] == "/weight table Data/Weight");
  CHECK(places(got)[5] == "/gauges/1/kind table Gauges/2/Kind");
}

TEST_CASE("extract: selectors, and what is relative to them") {
  const std::string page =
      "<h1 class=t> High <i>water</i></h1><div class=p data-id=7><a href='/a'>A</a><b>1.299,00 €"
      "</b><time datetime='2026-10-02T10:00:00Z'>soon</time></div><div class=p data-id=8>"
      "<a href='/b'>B</a><b>free</b></div><ul><li>x<li>y<li>x</ul>";
  const auto got = take(page, R"({"properties":{"title":{"x-selector":"h1.t"},
      "items":{"type":"array","x-selector":".p","items":{"required":["price"],"properties":{
        "id":{"type":"integer","x-selector":"@data-id"},"link":{"x-selector":"a@href",
        "format":"uri"},"plain":{"x-selector":"a","x-attribute":"href"},"name":{"x-selector":"a"},
        "price":{"type":"number","x-selector":"b"},"at":{"x-selector":"time",
        "format":"date-time"}}}},
      "words":{"type":"array","items":{"type":"string"},"x-selector":"li","maxItems":2},
      "none":{"x-selector":".none"},"first":{"type":"object","x-selector":".p","properties":{
        "text":{"x-selector":"a"}}}}})");
  CHECK(got.value.text ==
        R"({"title":"High water","items":[{"id":7,"link":"https://a.example/a","plain":"/a",)"
        R"("name":"A","price":1299,"at":"2026-10-02T10:00:00Z"},{"id":8,)"
        R"("link":"https://a.example/b","plain":"/b","name":"B"}],"words":["x","y"],)"
        R"("first":{"text":"A"}})");
  CHECK(got.missing == texts{"/items/1/price"});
  CHECK(places(got)[0] == "/title selector h1.t");
  CHECK(places(got)[3] == "/items/0/plain selector a@href");
  CHECK(value_of("<p>7 days</p>", R"({"type":"integer","x-selector":"p"})") == "7");
}

TEST_CASE("extract: enum, bounds, defaults and null decide what is taken") {
  const std::string page = product + "<meta name=condition content=New>";
  CHECK(value_of(page, R"({"properties":{"availability":{"enum":["OutOfStock","instock"]},
      "price":{"type":"number","maximum":100},"condition":{"const":"new"},
      "size":{"type":["string","null"]},"unit":{"type":"string","default":"kg"},
      "name":{"type":"string","maxLength":5}}})") ==
        R"({"availability":"instock","condition":"new","size":null,"unit":"kg"})");
  const auto none =
      take("<p>Nothing</p>", R"({"required":["sku"],"properties":{"sku":{},"gtin":{}}})");
  CHECK(none.value.text.empty());
  CHECK(none.missing == texts{"/sku"});
  CHECK(none.sources.empty());
}

TEST_CASE("extract: what belongs to another thing is not mixed in") {
  // The publisher's name and address are none of the article's.
  CHECK(value_of(organisation + script(R"({"@type":"Article","headline":"High water"})") +
                     "<div itemscope itemtype='https://schema.org/Person'><b itemprop=telephone>"
                     "7</b></div>",
                 R"({"properties":{"headline":{},"logo":{},"telephone":{}}})") ==
        R"({"headline":"High water"})");
  CHECK(value_of(organisation + product, R"({"x-type":"Organization","properties":{"name":{},
      "logo":{"format":"uri"},"sku":{}}})") ==
        R"({"name":"Acme","logo":"https://a.example/logo.png"})");
}

TEST_CASE("extract: the queries of a page's links are in its charset") {
  const auto made = schema::compile(R"({"x-selector":"a@href","format":"uri"})");
  REQUIRE(made);
  const std::string page = "<a href='/s?q=мир'>x</a>";
  CHECK(extract({page, "https://a.example/", "windows-1251"}, *made).value.text ==
        R"("https://a.example/s?q=%EC%E8%F0")");
}

TEST_CASE("extract: the work is bounded, whatever the page and the schema") {
  std::string things = "[";
  for (int i = 0; i < 5000; ++i) things += R"({"@type":"Product","name":"x","tag":["a","b"]},)";
  things += "{}]";
  std::string by = R"({"type":"array","x-type":"Product","items":{"properties":{)";
  for (int i = 0; i < 200; ++i) by += "\"name" + std::to_string(i) + "\":{\"x-name\":\"name\"},";
  by += R"("tags":{"type":"array","items":{},"x-name":"tag"}}}})";
  const auto got = take(script(things), by);
  CHECK(got.sources.size() == max_values);
  CHECK(got.warnings.size() == 1);
  const auto made = schema::compile(by);
  base::meter counted(nullptr, 100'000);
  CHECK_THROWS_AS(extract({script(things), "https://a.example/"}, *made, &counted),
                  base::work_ended);
}

TEST_CASE("extract: to find nothing many times is work, too") {
  std::string page;
  for (int i = 0; i < 2'000; ++i) page += "<i>x</i>";
  std::string wishes;
  for (int i = 0; i < 200; ++i) wishes += (i ? ",\"p" : "\"p") + std::to_string(i) + "\":{}";
  const auto by = schema::compile(R"({"type":"array","x-selector":"i","items":{"properties":{)" +
                                  wishes + "}}}");
  REQUIRE(by);
  base::meter counted(nullptr, 200'000);
  CHECK_THROWS_AS(extract({page, "https://a.example/"}, *by, &counted), base::work_ended);
}

TEST_CASE("extract: selectors in selectors end at a bound of their own") {
  std::string page;
  for (int i = 0; i < 1'000; ++i) page += "<div><p><i>x</i></p>";
  const auto by = schema::compile(
      R"({"type":"array","x-selector":"*","items":{"type":"object","properties":{"a":)"
      R"({"type":"array","x-selector":"* *","items":{"type":"string",)"
      R"-("x-selector":"* * * *:not(b)","x-attribute":"id"}}}}})-");
  REQUIRE(by);
  base::meter counted(nullptr, 10 * work_bound(page.size()));
  CHECK_THROWS_AS(extract({page, "https://a.example/"}, *by, &counted), base::work_ended);
  CHECK(counted.spent() > work_bound(page.size()) / 2);
  CHECK(counted.spent() <= work_bound(page.size()));
  CHECK_THROWS_AS(extract({page, "https://a.example/"}, *by), base::work_ended);
}

TEST_CASE("extract: a page is bounded by what may be copied, not by how often it says it") {
  const std::string word(3'900, 'w'), key(200'000, 'k');
  const auto list_of = [](const std::string& one, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += (i == 0 ? "" : ",") + one;
    return out;
  };
  std::string heads, wishes;
  for (int i = 0; i < 64; ++i) heads += "<th>h" + std::to_string(i);
  for (int i = 0; i < 100; ++i) {
    wishes +=
        (i == 0 ? "\"p" : ",\"p") + std::to_string(i) + R"(":{"type":"string","x-name":"name"})";
  }
  // A cell that says that it is all columns, in each row.
  const auto wide = "<table><tr>" + heads + list_of("<tr><td colspan=64>" + word, 100) + "</table>";
  CHECK(take(wide, R"({"properties":{"h1":{"type":"string"}}})").warnings ==
        texts{"extract: the page repeats itself more than is read"});
  // A long text under each of the names that are asked for.
  const auto said = script(R"({"@type":"Product","name":")" + key + R"("})");
  const auto all = take(said, R"({"type":"object","properties":{)" + wishes + "}}");
  CHECK(all.value.text.size() < 10u << 20);
  CHECK(all.warnings == texts{"extract: the page has more values than are given"});
  // A name as long as that is in the path to each of its values.
  const auto listed =
      script(R"({"@type":"Product",")" + key + R"(/tags":[)" + list_of("\"a\"", 1) + R"(]})");
  const auto tags =
      take(listed, R"({"properties":{"tags":{"type":"array","items":{"type":"string"}}}})");
  REQUIRE(tags.sources.size() == 1);
  CHECK(tags.sources.front().path.size() < 1'000);
}

TEST_CASE("extract: of an object's types the first ones are known") {
  const auto types = [](const std::string& letter) {
    std::string out;
    for (int i = 0; i < 3'000; ++i)
      out += (i == 0 ? "\"" : ",\"") + letter + std::to_string(i) + '"';
    return out;
  };
  const auto page = html::parse(script(R"({"name":"a","@type":[)" + types("a") + "]}") +
                                script(R"({"name":"b","@type":[)" + types("b") + "]}"));
  const evidence found(page, "https://a.example/");
  REQUIRE(found.things().size() == 2);
  for (const auto& one : found.things()) CHECK(one.types.size() == max_names);
}

}  // namespace freshet::extract
