/* A research step of an agent, in C: walks over the pages of a search, then reads one page as
 * markdown. Everything is printed as it comes, one JSON array a page; a JSON library of your choice
 * would go on from there.
 *
 *   cc -std=c99 research.c -o research $(pkg-config --cflags --libs freshet)
 *   ./research climate                                          the sandbox, no network
 *   FRESHET_URL=http://127.0.0.1:8080 FRESHET_API_KEY=frs_test_... ./research climate    a server
 */
#include <freshet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_log(void* user_data, const char* level, const char* line) {
  fprintf(user_data, "%s: %s\n", level, line);
}

/* Says what went wrong, if anything did. 1 for a success. */
static int went_well(const freshet_result* result) {
  const int32_t number = freshet_result_error(result);
  const int64_t wait_s = freshet_result_retry_after_s(result);
  if (number == 0) return 1;
  fprintf(stderr, "%s (HTTP %d): %s\n", freshet_error_name(number), freshet_result_status(result),
          freshet_result_body(result, NULL));
  if (wait_s >= 0) fprintf(stderr, "worth another try in %ld s\n", (long)wait_s);
  return 0;
}

static freshet_client* open_client(void) {
  const char* url = getenv("FRESHET_URL");
  const char* key = getenv("FRESHET_API_KEY");
  freshet_client* client = NULL;
  freshet_result* opened = NULL;
  if (url != NULL) {
    opened = freshet_connect(FRESHET_ABI, url, FRESHET_NTS, key, key == NULL ? 0 : FRESHET_NTS,
                             print_log, stderr, &client);
  } else {
    opened = freshet_open(FRESHET_ABI, "network.sandbox = true", FRESHET_NTS, print_log, stderr,
                          &client);
  }
  went_well(opened);
  freshet_result_free(&opened);
  return client;
}

/* Up to 25 items, 10 a page. The words must need no escape in JSON. */
static int search(freshet_client* client, const char* words) {
  char body[256];
  int fine = 1;
  int64_t credits = 0;
  freshet_pages* pages = NULL;
  freshet_result* page = NULL;
  snprintf(body, sizeof body, "{\"q\": \"%s\", \"limit\": 10, \"fields\": [\"title\", \"url\"]}",
           words);
  pages =
      freshet_client_pages(client, "forum/search", FRESHET_NTS, body, FRESHET_NTS, NULL, 0, 0, 25);
  while (fine && (page = freshet_pages_next(pages)) != NULL) {
    fine = went_well(page);
    if (fine) {
      size_t size = 0;
      const char* data = freshet_result_data(page, &size);
      printf("%.*s\n", (int)size, data);
      credits += freshet_result_credits(page);
    }
    freshet_result_free(&page);
  }
  freshet_pages_free(&pages);
  fprintf(stderr, "%ld credits\n", (long)credits);
  return fine;
}

static int read_page(freshet_client* client, const char* url) {
  char body[512];
  int fine = 0;
  freshet_result* document = NULL;
  snprintf(body, sizeof body, "{\"url\": \"%s\", \"max_tokens\": 800}", url);
  document =
      freshet_client_call(client, "scrape/markdown", FRESHET_NTS, body, FRESHET_NTS, NULL, 0);
  fine = went_well(document);
  if (fine) {
    size_t size = 0;
    const char* data = freshet_result_data(document, &size);
    printf("%.*s\n", (int)size, data);
  }
  freshet_result_free(&document);
  return fine;
}

/* HTML that is there already needs no client. */
static int convert(const char* html) {
  freshet_result* document =
      freshet_markdown(html, FRESHET_NTS, "{\"mode\": \"page\"}", FRESHET_NTS);
  const int fine = went_well(document);
  if (fine) printf("%s\n", freshet_result_body(document, NULL));
  freshet_result_free(&document);
  return fine;
}

int main(int count, char** words) {
  int fine = 0;
  freshet_client* client = open_client();
  if (client == NULL) return 1;
  fine = search(client, count > 1 ? words[1] : "climate") &&
         read_page(client, "https://example.com/tide-gauges") &&
         convert("<h1>Tides</h1><p>High at <b>noon</b>.</p>");
  freshet_client_free(&client);
  return fine ? 0 : 1;
}
