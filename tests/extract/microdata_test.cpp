// Microdata by the HTML standard: values by element, items in items, itemref, and circles.
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <extract/microdata.hpp>

namespace freshet::extract {
namespace {

std::string items_of(const std::string& text) {
  const auto page = html::parse(text);
  base::json::array out;
  copy_room room;
  for (auto& one : read_microdata(page, base::parse_url("https://a.example/x/"), room)) {
    out.push_back(std::move(one.value));
  }
  return boost::json::serialize(out);
}

}  // namespace

TEST_CASE("microdata: values by their elements") {
  CHECK(items_of(
            "<div itemscope itemtype='https://schema.org/Product https://b.example/T' itemid='i'>"
            "<h1 itemprop='name title'> An \n anvil </h1><meta itemprop=sku content=' 7 '>"
            "<a itemprop=url href='y'>no</a><img itemprop=image src='/i.png'><img itemprop=image "
            "src='j.png'><time itemprop=date datetime='2026-10-02'>soon</time><data itemprop=n "
            "value=5>five</data><meter itemprop=m value=0.5>half</meter><span itemprop=price "
            "content='9.50'>9 and a half</span><p itemprop=text>One<br>two<script>no</script></p>"
            "</div>") ==
        R"([{"@type":["https://schema.org/Product","https://b.example/T"],)"
        R"("@id":"https://a.example/x/i","name":"An anvil","title":"An anvil","sku":"7",)"
        R"("url":"https://a.example/x/y","image":["https://a.example/i.png",)"
        R"("https://a.example/x/j.png"],"date":"2026-10-02","n":"5","m":"0.5","price":"9.50",)"
        R"("text":"One two"}])");
}

TEST_CASE("microdata: texts of what people see apart are apart") {
  CHECK(items_of("<div itemscope><div itemprop=a><h2>Tides</h2><h3>High</h3>at six<ul><li>one</li>"
                 "</ul>two<dl><dt>x</dt><dd>y</dd></dl><table><tr><td>1</td><td>2</td></table>"
                 "in<b>side</b></div></div>") ==
        R"([{"a":"Tides High at six one two x y 1 2 inside"}])");
}

TEST_CASE("microdata: items in items, and those that stand alone") {
  CHECK(items_of("<div itemscope><div itemprop=a itemscope><b itemprop=c>1</b></div><div itemscope>"
                 "<b itemprop=d>2</b></div><b itemprop=e>3</b></div>") ==
        R"([{"a":{"c":"1"},"e":"3"},{"d":"2"}])");
}

TEST_CASE("microdata: itemref brings what stands elsewhere, in the page's order") {
  CHECK(items_of("<p id=before itemprop=a>1</p><div itemscope itemref='after before none after'>"
                 "<b itemprop=b>2</b></div><div id=after><i itemprop=c>3</i><div itemscope>"
                 "<b itemprop=no>4</b></div></div>") ==
        R"([{"a":"1","b":"2","c":"3"},{"no":"4"}])");
  // Of an element that is an item itself the properties are its own.
  CHECK(items_of("<div itemscope itemref=x><b itemprop=a>1</b></div>"
                 "<div id=x itemprop=in itemscope><b itemprop=b>2</b></div>") ==
        R"([{"a":"1","in":{"b":"2"}}])");
}

TEST_CASE("microdata: circles and towers end") {
  CHECK(items_of("<div itemscope itemref=a></div><div id=a itemprop=x itemscope itemref=b></div>"
                 "<div id=b itemprop=y itemscope itemref=a></div>") == R"([{"x":{"y":{}}}])");
  std::string tower;
  for (int i = 0; i < 400; ++i) tower += "<div itemprop=x itemscope>";
  CHECK(items_of("<div itemscope>" + tower).size() < 200);
  // Each refers to the next one twice: without a bound that would be 2^40 items.
  std::string doubling = "<div itemscope itemref='p0 q0'></div>";
  for (int i = 0; i < 40; ++i) {
    const auto next = std::to_string(i + 1);
    for (const char* name : {"p", "q"}) {
      doubling += std::string("<div itemprop=x itemscope id=") + name + std::to_string(i) +
                  " itemref='p" + next + " q" + next + "'></div>";
    }
  }
  CHECK(items_of(doubling).size() < 200'000);
}

TEST_CASE("microdata: what is referred to again and again is copied as often as there is room") {
  const auto refer = [](const std::string& what, int times) {
    std::string page = what;
    for (int i = 0; i < times; ++i) page += "<div itemscope itemref=x></div>";
    return items_of(page).size();
  };
  const std::string word(50'000, 'w'), many(2'000, 'w');
  std::string names, types;
  for (int i = 0; i < 5'000; ++i) {
    names += " n" + std::to_string(i);
    types += " t" + std::to_string(i);
  }
  CHECK(refer("<p id=x itemprop=a>" + word + "</p>", 100) > 100 * word.size());
  CHECK(refer("<p id=x itemprop=a>" + word + "</p>", 2'000) < 2 * max_copied_bytes);
  CHECK(refer("<a id=x itemprop=a href='/" + word + "'></a>", 2'000) < 2 * max_copied_bytes);
  CHECK(refer("<p id=x itemprop=" + word + ">1</p>", 2'000) < 2 * max_copied_bytes);
  CHECK(refer("<p id=x itemprop=a itemscope itemid=" + word + "></p>", 2'000) <
        2 * max_copied_bytes);
  CHECK(refer("<p id=x itemprop='" + names + "'>" + many + "</p>", 1) < 2 * 16 * many.size());
  CHECK(refer("<p id=x itemprop=a itemscope itemtype='" + types + "'>", 1) < 1'000);
}

TEST_CASE("microdata: the work grows with the page, and an attribute that is not there is none") {
  const auto steps_of = [](const std::string& text) {
    base::meter counted(nullptr, 1'000'000);
    const auto page = html::parse(text, &counted);
    copy_room room;
    static_cast<void>(read_microdata(page, base::parse_url("https://a.example/"), room));
    return counted.spent();
  };
  const std::string item =
      "<div itemscope itemtype=' '><a itemprop='url ' href=y>q</a><p itemprop=name>n</p></div>";
  const auto one = steps_of(item);
  std::string many;
  for (int i = 0; i < 100; ++i) many += item;
  CHECK(steps_of(many) < 200 * one);
}

}  // namespace freshet::extract
