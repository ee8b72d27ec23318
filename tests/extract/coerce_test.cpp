// Numbers as people write them, and names as callers and pages do.
#include <catch2/catch.hpp>
#include <extract/coerce.hpp>
#include <extract/names.hpp>

namespace freshet::extract {

TEST_CASE("coerce: numbers with the separators of many languages") {
  CHECK(number_in("12") == 12);
  CHECK(number_in("€ 1,299.00") == 1299);
  CHECK(number_in("1.299,00 €") == 1299);
  CHECK(number_in("1 299,50") == 1299.5);
  CHECK(number_in("1'299") == 1299);
  CHECK(number_in("1,299") == 1299);
  CHECK(number_in("1.299") == 1.299);
  CHECK(number_in("1.299.000") == 1299000);
  CHECK(number_in("0,5 l") == 0.5);
  CHECK(number_in("-3.5 °C") == -3.5);
  CHECK(number_in("4.4 out of 5") == 4.4);
  CHECK(number_in("room 10 25 people") == 10);
  CHECK(number_in("2026-10") == 2026);
  CHECK(number_in("1e3") == 1000);
  CHECK(number_in("v2.") == 2);
  CHECK_FALSE(number_in("free"));
  CHECK_FALSE(number_in(""));
}

TEST_CASE("names: one form, and the ways to what a caller means") {
  CHECK(plain_name("og:site_name") == "sitename");
  CHECK(plain_name("https://schema.org/datePublished") == "datepublished");
  CHECK(plain_name("date-published") == "datepublished");
  CHECK(plain_name("product:price:amount") == "priceamount");
  CHECK(singular("categories") == "category");
  CHECK(singular("address") == "address");
  CHECK(singular("gauges") == "gauge");
  CHECK(ways_to("Price").front() == "price");
  CHECK(ways_to("Price")[1] == "offers.price");
  CHECK(ways_to("weight") == std::vector<std::string>{"weight"});
}

}  // namespace freshet::extract
