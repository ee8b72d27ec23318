/* The C ABI from C99: opens the sandbox in process, calls, waits, cancels, reads errors, frees. */
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

static freshet_client* open_sandbox(void) {
  const char* config = "[network]\nsandbox = true\n";
  freshet_client* client = NULL;
  freshet_result* opened = freshet_open(FRESHET_ABI, config, strlen(config), &client);
  check(freshet_result_error(opened) == 0, "open");
  check(client != NULL, "client");
  freshet_result_free(&opened);
  check(opened == NULL, "free sets NULL");
  return client;
}

static void test_call(freshet_client* client) {
  const char* endpoint = "microblog/search";
  const char* body = "{\"q\": \"climate\", \"limit\": 2}";
  size_t size = 0;
  size_t data_size = 0;
  freshet_result* answer =
      freshet_client_call(client, endpoint, strlen(endpoint), body, strlen(body), NULL, 0);
  check(freshet_result_status(answer) == 200, "status 200");
  check(freshet_result_credits(answer) == 0, "no credits");
  check(strstr(freshet_result_body(answer, &size), "\"data\":[") != NULL, "an envelope");
  check(freshet_result_data(answer, &data_size)[0] == '[', "data is a list");
  check(data_size > 2 && data_size < size, "data is a part of the envelope");
  freshet_result_free(&answer);
}

static void test_errors(freshet_client* client) {
  freshet_client* none = (freshet_client*)1;
  freshet_result* wrong = freshet_client_call(client, "nowhere", 7, NULL, 0, NULL, 0);
  check(freshet_result_status(wrong) == 404, "status 404");
  check(strcmp(freshet_error_name(freshet_result_error(wrong)), "unknown_endpoint") == 0, "name");
  freshet_result_free(&wrong);
  wrong = freshet_open(FRESHET_ABI + 1, NULL, 0, &none);
  check(freshet_result_error(wrong) != 0 && none == NULL, "another ABI is refused");
  freshet_result_free(&wrong);
  wrong = freshet_client_call(NULL, "x", 1, NULL, 0, NULL, 0);
  check(strcmp(freshet_error_name(freshet_result_error(wrong)), "invalid_request") == 0, "NULL");
  freshet_result_free(&wrong);
  freshet_result_free(NULL);
  freshet_result_free(&wrong);
  freshet_client_free(NULL);
  freshet_call_free(NULL);
  check(strcmp(freshet_error_name(-1), "") == 0, "no such number");
}

static void test_start(freshet_client* client) {
  const char* endpoint = "news/search";
  const char* body = "{\"q\": \"climate\"}";
  freshet_call* call =
      freshet_client_start(client, endpoint, strlen(endpoint), body, strlen(body), NULL, 0);
  freshet_result* answer = freshet_call_wait(call, -1);
  check(freshet_result_error(answer) == 0, "a started call answers");
  freshet_result_free(&answer);
  answer = freshet_call_wait(call, 0);
  check(strcmp(freshet_error_name(freshet_result_error(answer)), "internal") == 0, "only once");
  freshet_result_free(&answer);
  freshet_call_free(&call);
  call = freshet_client_start(client, endpoint, strlen(endpoint), body, strlen(body), NULL, 0);
  freshet_call_cancel(call);
  freshet_call_free(&call);
  check(call == NULL, "call free sets NULL");
}

static void test_markdown(void) {
  const char* html = "<p>High <em>water</em></p>";
  const char* options = "{\"mode\": \"page\"}";
  freshet_result* page = freshet_markdown(html, strlen(html), options, strlen(options));
  check(strstr(freshet_result_body(page, NULL), "High *water*") != NULL, "markdown");
  freshet_result_free(&page);
  page = freshet_markdown(html, strlen(html), "{\"mood\": 1}", 11);
  check(strcmp(freshet_error_name(freshet_result_error(page)), "invalid_request") == 0, "option");
  freshet_result_free(&page);
}

int main(void) {
  freshet_client* client = NULL;
  check(freshet_abi() == FRESHET_ABI, "abi");
  check(strlen(freshet_version()) >= 5, "version");
  client = open_sandbox();
  if (client != NULL) {
    test_call(client);
    test_errors(client);
    test_start(client);
  }
  freshet_client_free(&client);
  test_markdown();
  printf("%s\n", failures == 0 ? "the C ABI keeps its word" : "the C ABI fails");
  return failures == 0 ? 0 : 1;
}
