/* The C ABI from C99: opens the sandbox in process, calls, waits, cancels, walks, reads errors,
 * misuses and frees. */
#include <freshet.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;

static void check(int ok, const char* what) {
  if (!ok) {
    printf("failed: %s\n", what);
    ++failures;
  }
}

/* The name of a result's error; frees the result. Static storage. */
static const char* error_of(freshet_result* result) {
  const char* name = freshet_error_name(freshet_result_error(result));
  freshet_result_free(&result);
  check(result == NULL, "freeing a result sets it to NULL");
  return name;
}

static void check_error(freshet_result* result, const char* expected, const char* what) {
  check(result != NULL && strcmp(error_of(result), expected) == 0, what);
}

static freshet_client* open_sandbox(void) {
  freshet_client* client = NULL;
  freshet_result* opened =
      freshet_open(FRESHET_ABI, "network.sandbox = true", FRESHET_NTS, NULL, NULL, &client);
  check(freshet_result_error(opened) == 0 && client != NULL, "open");
  check(freshet_result_status(opened) == 200, "an open has a status");
  check(strcmp(freshet_result_body(opened, NULL), "") == 0, "an open has no body");
  freshet_result_free(&opened);
  return client;
}

static freshet_result* call(freshet_client* client, const char* endpoint, const char* body) {
  return freshet_client_call(client, endpoint, FRESHET_NTS, body, FRESHET_NTS, NULL, 0);
}

static void test_call(freshet_client* client) {
  size_t size = 0;
  size_t data_size = 0;
  size_t id_size = 0;
  freshet_result* answer = call(client, "microblog/search", "{\"q\": \"climate\", \"limit\": 2}");
  check(freshet_result_status(answer) == 200, "status 200");
  check(freshet_result_credits(answer) == 0, "no credits");
  check(freshet_result_credits_remaining(answer) == -1, "not metered");
  check(freshet_result_retry_after_s(answer) == -1, "nothing to retry");
  check(freshet_result_retryable(answer) == 0, "a success is not retryable");
  check(strstr(freshet_result_body(answer, &size), "\"data\":[") != NULL, "an envelope");
  check(strlen(freshet_result_body(answer, NULL)) == size, "the body ends with a NUL");
  check(freshet_result_data(answer, &data_size)[0] == '[', "data is a list");
  check(data_size > 2 && data_size < size, "data is a part of the envelope");
  check(strncmp(freshet_result_request_id(answer, &id_size), "req_", 4) == 0, "a request id");
  check(id_size == 30, "the size of a request id");
  check(strncmp(freshet_result_next_cursor(answer, NULL), "c1.", 3) == 0, "a cursor");
  freshet_result_free(&answer);
  answer = freshet_client_call(client, "microblog/search", 16, "{\"q\": \"tides\"}trailing", 14,
                               "{\"request_id\": \"mine\"}", FRESHET_NTS);
  check(freshet_result_error(answer) == 0, "sizes end texts");
  check(strcmp(freshet_result_request_id(answer, NULL), "mine") == 0, "a request id of one's own");
  freshet_result_free(&answer);
}

static void test_options(freshet_client* client) {
  static const char* const wrong[] = {"{\"api_kee\": \"x\"}", "{\"api_key\": 1}",
                                      "{\"request_id\": \"a b\"}",
                                      "{\"idempotency_key\": \"\\u0001\"}"};
  size_t i = 0;
  for (i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
    check_error(
        freshet_client_call(client, "news/search", FRESHET_NTS, NULL, 0, wrong[i], FRESHET_NTS),
        "invalid_request", wrong[i]);
  }
  check_error(freshet_client_call(client, "news/search", FRESHET_NTS, NULL, 0, "[", 1),
              "invalid_json", "options are JSON");
  check_error(freshet_client_call(client, "news/search", FRESHET_NTS, NULL, 0,
                                  "{\"api_key\": \"frs_live_x\"}", FRESHET_NTS),
              "invalid_api_key", "the key of the options counts");
}

static void test_misuse(freshet_client* client) {
  freshet_client* none = (freshet_client*)1;
  freshet_call* no_call = NULL;
  freshet_pages* no_pages = NULL;
  check_error(call(client, "nowhere", "{}"), "unknown_endpoint", "an unknown endpoint");
  check_error(call(client, NULL, "{}"), "invalid_request", "NULL with a size");
  check_error(freshet_client_call(client, NULL, 0, NULL, 0, NULL, 0), "unknown_endpoint",
              "an empty endpoint");
  check_error(call(client, "news/search", "{"), "invalid_json", "half an object");
  check_error(call(NULL, "news/search", "{}"), "invalid_request", "no client");
  check_error(freshet_open(FRESHET_ABI + 1, NULL, 0, NULL, NULL, &none), "invalid_configuration",
              "another ABI");
  check(none == NULL, "another ABI leaves no client");
  check_error(freshet_open(FRESHET_ABI + 1, NULL, 0, NULL, NULL, NULL), "invalid_configuration",
              "another ABI, no out");
  check_error(freshet_open(FRESHET_ABI, NULL, 0, NULL, NULL, NULL), "invalid_request", "no out");
  check_error(freshet_open(FRESHET_ABI, "netwerk.sandbox = true", FRESHET_NTS, NULL, NULL, &none),
              "invalid_configuration", "an unknown setting");
  check_error(freshet_connect(0, "http://127.0.0.1", FRESHET_NTS, NULL, 0, NULL, NULL, &none),
              "invalid_configuration", "ABI 0");
  check_error(freshet_connect(FRESHET_ABI, "ftp://x", FRESHET_NTS, NULL, 0, NULL, NULL, &none),
              "invalid_configuration", "no http");
  check_error(freshet_connect_with(0, "http://127.0.0.1", FRESHET_NTS, NULL, 0, NULL, NULL, &none),
              "invalid_configuration", "ABI 0 with options");
  check_error(freshet_connect_with(FRESHET_ABI, "http://127.0.0.1", FRESHET_NTS, "[]", FRESHET_NTS,
                                   NULL, NULL, &none),
              "invalid_json", "options that are no object");
  check_error(freshet_connect_with(FRESHET_ABI, "http://127.0.0.1", FRESHET_NTS,
                                   "{\"ca_flie\": \"x\"}", FRESHET_NTS, NULL, NULL, &none),
              "invalid_request", "an unknown option");
  check_error(freshet_connect_with(FRESHET_ABI, "http://127.0.0.1", FRESHET_NTS, "{\"ca_file\": 1}",
                                   FRESHET_NTS, NULL, NULL, &none),
              "invalid_request", "an option that is no text");
  check_error(freshet_connect_with(FRESHET_ABI, "https://127.0.0.1", FRESHET_NTS,
                                   "{\"ca_file\": \"/nonexistent/ca.pem\"}", FRESHET_NTS, NULL,
                                   NULL, &none),
              "invalid_configuration", "an authority that is not there");
  check_error(freshet_connect_with(FRESHET_ABI, NULL, 1, NULL, 0, NULL, NULL, &none),
              "invalid_request", "NULL with a size");
  check_error(freshet_call_wait(NULL, 0), "invalid_request", "no call");
  check_error(freshet_pages_next(NULL), "invalid_request", "no pages");
  freshet_call_cancel(NULL);
  freshet_pages_cancel(NULL);
  freshet_client_free(NULL);
  freshet_client_free(&none);
  freshet_call_free(NULL);
  freshet_call_free(&no_call);
  freshet_pages_free(NULL);
  freshet_pages_free(&no_pages);
  freshet_result_free(NULL);
}

static void test_null_results(void) {
  size_t size = 7;
  check(strcmp(freshet_error_name(freshet_result_error(NULL)), "internal") == 0, "error of NULL");
  check(freshet_result_status(NULL) == 500, "status of NULL");
  check(freshet_result_body(NULL, &size)[0] == '\0' && size == 0, "body of NULL");
  check(freshet_result_data(NULL, NULL)[0] == '\0', "data of NULL");
  check(freshet_result_request_id(NULL, NULL)[0] == '\0', "request id of NULL");
  check(freshet_result_next_cursor(NULL, NULL)[0] == '\0', "cursor of NULL");
  check(freshet_result_credits(NULL) == 0, "credits of NULL");
  check(freshet_result_credits_remaining(NULL) == -1, "credits left of NULL");
  check(freshet_result_retry_after_s(NULL) == -1, "retry of NULL");
  check(strcmp(freshet_error_name(-1), "") == 0, "no such number");
  check(strcmp(freshet_error_name(65536 + 70), "") == 0, "no such large number");
  check(strcmp(freshet_error_name(70), "rate_limited") == 0, "a number's name");
}

static void test_start(freshet_client* client) {
  const char* endpoint = "news/search";
  const char* body = "{\"q\": \"climate\"}";
  freshet_call* started =
      freshet_client_start(client, endpoint, FRESHET_NTS, body, FRESHET_NTS, NULL, 0);
  freshet_result* answer = freshet_call_wait(started, -1);
  check(freshet_result_error(answer) == 0, "a started call answers");
  freshet_result_free(&answer);
  check_error(freshet_call_wait(started, 0), "invalid_request", "only once");
  freshet_call_free(&started);
  check(started == NULL, "freeing a call sets it to NULL");
  started = freshet_client_start(client, endpoint, FRESHET_NTS, body, FRESHET_NTS, NULL, 0);
  freshet_call_cancel(started);
  freshet_call_free(&started);
  started = freshet_client_start(NULL, endpoint, FRESHET_NTS, body, FRESHET_NTS, NULL, 0);
  check_error(freshet_call_wait(started, INT64_MAX), "invalid_request", "started without client");
  freshet_call_free(&started);
}

static void test_pages(freshet_client* client) {
  const char* body = "{\"q\": \"climate\", \"limit\": 2}";
  int pages = 0;
  freshet_result* page = NULL;
  freshet_pages* walk =
      freshet_client_pages(client, "news/search", FRESHET_NTS, body, FRESHET_NTS, NULL, 0, 3, 0);
  while ((page = freshet_pages_next(walk)) != NULL) {
    check(freshet_result_error(page) == 0, "a page");
    ++pages;
    freshet_result_free(&page);
  }
  check(pages == 3, "as many pages as asked for");
  check(freshet_pages_next(walk) == NULL, "the end stays the end");
  freshet_pages_free(&walk);
  check(walk == NULL, "freeing a walk sets it to NULL");
  walk =
      freshet_client_pages(client, "news/search", FRESHET_NTS, body, FRESHET_NTS, NULL, 0, -1, 0);
  check_error(freshet_pages_next(walk), "invalid_request", "a negative limit");
  check(freshet_pages_next(walk) == NULL, "what was wrong from the beginning is said once");
  freshet_pages_free(&walk);
}

static void test_markdown(void) {
  const char* html = "<p>High <em>water</em></p>";
  size_t size = 0;
  freshet_result* page = freshet_markdown(html, FRESHET_NTS, "{\"mode\": \"page\"}", FRESHET_NTS);
  check(strstr(freshet_result_body(page, NULL), "High *water*") != NULL, "markdown");
  check(strstr(freshet_result_body(page, NULL), "\"meta\":{\"warnings\":[") != NULL, "warnings");
  check(strncmp(freshet_result_data(page, &size), "{\"object\":\"document\"", 20) == 0, "data");
  freshet_result_free(&page);
  check_error(freshet_markdown(html, FRESHET_NTS, "{\"mood\": 1}", FRESHET_NTS), "invalid_request",
              "an unknown option");
  check_error(freshet_markdown(html, FRESHET_NTS, "{\"include\": [1]}", FRESHET_NTS),
              "invalid_request", "a list of texts");
  check_error(freshet_markdown(html, FRESHET_NTS, "{", 1), "invalid_json", "half an object");
  check_error(freshet_markdown(html, (size_t)1 << 30, NULL, 0), "payload_too_large", "too much");
}

int main(void) {
  freshet_client* client = NULL;
  check(freshet_abi() == FRESHET_ABI, "abi");
  check(strlen(freshet_version()) >= 5, "version");
  client = open_sandbox();
  if (client != NULL) {
    test_call(client);
    test_options(client);
    test_misuse(client);
    test_start(client);
    test_pages(client);
  }
  freshet_client_free(&client);
  check(client == NULL, "freeing a client sets it to NULL");
  test_null_results();
  test_markdown();
  printf("%s\n", failures == 0 ? "the C ABI keeps its word" : "the C ABI fails");
  return failures == 0 ? 0 : 1;
}
