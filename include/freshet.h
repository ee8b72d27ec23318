/* Freshet's C ABI: JSON in, JSON out, behind opaque handles; the only frozen interface, for any
 * language that can call C. It holds no logic of its own; no exception and no signal leaves it.
 *
 * Text in    is UTF-8 with a size in bytes. FRESHET_NTS as the size: it ends with a NUL. (NULL, 0)
 *            is an empty text; NULL with another size is an error. It is copied: free it after the
 *            call.
 * Text out   is borrowed from the handle that gives it, lives as long as that one, and ends with a
 *            NUL unless said otherwise. Its size goes to *size, where size is not NULL.
 * Results    every function that can fail answers a freshet_result, which holds the answer or the
 *            error. NULL says "not yet" (freshet_call_wait) or "no more" (freshet_pages_next), and
 *            nothing else. Free each one with freshet_result_free.
 * Handles    are only pointers: never look into one. A *_free takes the address of the handle,
 *            accepts NULL and the address of NULL, and sets the handle to NULL, so that freeing
 *            twice does nothing. In any other function NULL as a handle is an error, not a crash.
 *            Handles may be freed in any order.
 * Threads    a client may be used by any number of threads at once. A call, a walk of pages and a
 *            result belong to one thread at a time, but for their *_cancel, which any thread may
 *            call until the handle is freed. What has no handle is for any thread.
 * Signals    the library's own threads block all signals, so that yours go to your threads.
 * Memory     where none is left for a call, it answers `overloaded`, and the next one is served as
 *            ever. Three things end the program instead, since they cannot go on by halves: the
 *            ledger of an engine with accounts, a browser and the reading of a PDF.
 * fork       a client does not survive it: in the child its functions answer invalid_configuration,
 *            and freeing it only forgets it. Open another one there.
 * Numbers    credits are whole; durations say their unit in the name.
 * Forever    freshet_abi, freshet_open, freshet_connect, freshet_result_error, freshet_result_body
 *            and freshet_result_free never change their signature, whatever the ABI, so that a
 *            program and a library that do not match can always find out.
 */
#ifndef FRESHET_H
#define FRESHET_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define FRESHET_API __attribute__((visibility("default")))
#else
#define FRESHET_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The ABI that this header describes: the major version of the library, and of libfreshet.so.1. */
#define FRESHET_ABI 1

/** As a size: the text ends with a NUL. */
#define FRESHET_NTS SIZE_MAX

/** An engine in this process, or a remote server. */
typedef struct freshet_client freshet_client;
/** A call under way. */
typedef struct freshet_call freshet_call;
/** A walk over the pages of a list. */
typedef struct freshet_pages freshet_pages;
/** An answer or an error. */
typedef struct freshet_result freshet_result;

/**
 * Where a client's log lines go: one for each call that has ended ("news/search 200 in 12 ms, 1
 * credits, req_…"), and what an engine has to say of its sources. level: "info", "warning" (a call
 * that failed, a source that does) or "error"; line: one line without its newline, never with a key
 * or a text of the call in it. Both live until the function returns.
 *
 * It is called on one thread of the client's own, one line after the other, never on a thread that
 * a call runs on. So it may take its time and may call every function of this header, also of the
 * same client; only freshet_client_free does nothing there and leaves the handle as it is. While it
 * runs, up to 1024 lines wait; those beyond are dropped and counted in a line of their own. It is
 * never called again once freshet_client_free has returned. Do not hold a lock that it needs while
 * you free the client.
 */
typedef void (*freshet_log)(void* user_data, const char* level, const char* line);

/** The ABI of the library that is loaded; compare it with FRESHET_ABI. */
FRESHET_API uint32_t freshet_abi(void);

/** The version of the library that is loaded: "0.1.0". Static storage. */
FRESHET_API const char* freshet_version(void);

/**
 * The name of an error's number, "rate_limited" of 70: the `code` of a problem document. "" if no
 * error has this number. Numbers never change. Static storage.
 */
FRESHET_API const char* freshet_error_name(int32_t number);

/**
 * Opens an engine in this process.
 *
 * abi: FRESHET_ABI. config: TOML, as the program's configuration file; empty for the defaults.
 * `storage.data_dir` opens the accounts; without it calls are neither metered nor charged.
 * `network.sandbox = true` answers every call from recordings. log: where log lines go, with
 * user_data as it is; NULL: nowhere. *out: set to the client, or to NULL on a failure.
 *
 * Takes some 100 ms; reads no environment and no file but those that config names. Errors:
 * invalid_configuration (another ABI, a key or value of config), storage_unavailable,
 * invalid_request (out or a text is NULL).
 */
FRESHET_API freshet_result* freshet_open(uint32_t abi, const char* config, size_t config_size,
                                         freshet_log log, void* user_data, freshet_client** out);

/**
 * Makes a client of a server, e.g. at base_url "http://127.0.0.1:8080" with the key that its calls
 * carry ("frs_live_…"; may be empty). The rest is as for freshet_open. Nothing is sent yet: a wrong
 * address or key shows at the first call. Error: invalid_configuration (another ABI, no http(s)
 * URL), invalid_request (out or a text is NULL).
 */
FRESHET_API freshet_result* freshet_connect(uint32_t abi, const char* base_url,
                                            size_t base_url_size, const char* api_key,
                                            size_t api_key_size, freshet_log log, void* user_data,
                                            freshet_client** out);

/**
 * Makes a client of a server, as freshet_connect does, with what that one cannot be told.
 *
 * options: empty, or a JSON object of texts:
 *   "api_key"   the key that its calls carry
 *   "ca_file"   who may vouch for a server with https, as a file of certificates in PEM; without
 *               it, whom the system trusts
 *
 * Errors: those of freshet_connect; invalid_configuration (a ca_file that cannot be read),
 * invalid_json, invalid_request (an option). A file that holds no certificate shows at the first
 * call, as a server does for whom nobody in it vouches.
 */
FRESHET_API freshet_result* freshet_connect_with(uint32_t abi, const char* base_url,
                                                 size_t base_url_size, const char* options,
                                                 size_t options_size, freshet_log log,
                                                 void* user_data, freshet_client** out);

/**
 * Ends a client: cancels its calls, waits until they have answered and the last log line is
 * delivered, then gives everything back. Calls and walks that are left answer `cancelled` and still
 * have to be freed; a thread that waits in one of them is woken. Not while another thread enters a
 * function with this very handle. In a log callback it does nothing.
 */
FRESHET_API void freshet_client_free(freshet_client** client);

/**
 * Makes one call and waits for its answer.
 *
 * endpoint: "news/search", as in the URL behind /v1/. body: the parameters as one JSON object;
 * empty means {}. options: empty, or a JSON object with texts under
 *   "api_key"          instead of the client's own
 *   "idempotency_key"  the same one and the same body within 24 hours give the first answer, free
 *   "request_id"       instead of one that is made
 *   "traceparent"      whose trace the call belongs to (W3C Trace Context), if it is well-formed;
 *   "tracestate"       what belongs to that
 *
 * The result is the envelope {"data", "page", "meta"}, or any error of the contract. Of a remote
 * server that does not answer: source_unavailable, source_timeout. Never takes longer than 150 s.
 */
FRESHET_API freshet_result* freshet_client_call(freshet_client* client, const char* endpoint,
                                                size_t endpoint_size, const char* body,
                                                size_t body_size, const char* options,
                                                size_t options_size);

/**
 * Starts the same call without waiting. Never NULL: what is wrong stands in the result that
 * freshet_call_wait gives. Free it with freshet_call_free.
 */
FRESHET_API freshet_call* freshet_client_start(freshet_client* client, const char* endpoint,
                                               size_t endpoint_size, const char* body,
                                               size_t body_size, const char* options,
                                               size_t options_size);

/**
 * Waits for the answer, up to timeout_ms milliseconds; negative: until it is there; 0: only looks.
 * NULL: not yet, wait again. The result is yours and is given once; a later wait is an error
 * (invalid_request). Where there was no memory for it (overloaded), the answer is kept: wait again.
 */
FRESHET_API freshet_result* freshet_call_wait(freshet_call* call, int64_t timeout_ms);

/**
 * Asks that the call end early. It answers `cancelled` and is not charged, or what it had already
 * finished. From any thread; does not wait.
 */
FRESHET_API void freshet_call_cancel(freshet_call* call);

/** Gives the call back; cancels it if it still runs, without waiting. */
FRESHET_API void freshet_call_free(freshet_call** call);

/**
 * Begins a walk over all pages of a list. Sends nothing yet.
 *
 * endpoint, body and options as for freshet_client_call; a "cursor" in body goes on where another
 * walk had come to, and "limit" is the size of a page. An idempotency key gets ".1", ".2"… for each
 * page. max_pages, max_items: where the walk ends at the latest, 0 for no limit; with max_items the
 * last page is asked for with so small a limit that nothing is fetched or paid for in vain, so it
 * is for lists only. Never NULL. Free it with freshet_pages_free.
 */
FRESHET_API freshet_pages* freshet_client_pages(freshet_client* client, const char* endpoint,
                                                size_t endpoint_size, const char* body,
                                                size_t body_size, const char* options,
                                                size_t options_size, int64_t max_pages,
                                                int64_t max_items);

/**
 * Asks for the next page and waits for it. NULL: no more, the last page has been given or a limit
 * was reached. What has no pages (a lookup) gives one result.
 *
 * An error takes nothing back: the pages before it stay as they are. After a retryable error
 * (freshet_result_retry_after_s tells when) the next call of this function asks for the same page
 * again, up to five errors in a row; any other error ends the walk. To go on later, in another
 * program even, keep freshet_result_next_cursor of the last page.
 */
FRESHET_API freshet_result* freshet_pages_next(freshet_pages* pages);

/**
 * Ends the walk early: the page under way or the next one answers `cancelled` (or, finished in
 * time, is given before that). From any thread; does not wait.
 */
FRESHET_API void freshet_pages_cancel(freshet_pages* pages);

/** Gives the walk back. Not while freshet_pages_next runs on another thread. */
FRESHET_API void freshet_pages_free(freshet_pages** pages);

/**
 * Turns a page into markdown without a client, network and account: HTML, text, or a PDF where
 * poppler's programs are installed (they run as child processes).
 *
 * html: the page's bytes, at most 16 MiB. options: empty, or a JSON object with
 *   "mode"             "article", the main content (default), or "page", all that is visible
 *   "url"              where the page comes from, to resolve its links
 *   "content_type"     the value of that header, for the charset
 *   "include", "exclude"  lists of CSS selectors
 *   "links"            "inline" (default), "footnotes" or "none"
 *   "images"           true (default) or false
 *   "safety"           "report" (default), "strip" or "refuse": what becomes of text that looks
 *                      like an instruction to a model
 *
 * The body is {"data": a document, "meta": {"warnings": […]}}; the markdown is data.markdown.
 * Errors: invalid_json, invalid_request (an option), payload_too_large, unsupported_content,
 * unsafe_content.
 */
FRESHET_API freshet_result* freshet_markdown(const char* html, size_t html_size,
                                             const char* options, size_t options_size);

/** 0 for a success, else the number of the error (see freshet_error_name). Of NULL: internal. */
FRESHET_API int32_t freshet_result_error(const freshet_result* result);

/** The HTTP status that the same call has over HTTP: 200, 429… Of NULL: 500. */
FRESHET_API int32_t freshet_result_status(const freshet_result* result);

/**
 * The whole answer as JSON: the envelope, or the problem document {"code", "detail", "errors", …}.
 * "" after a successful open or connect, and of NULL.
 */
FRESHET_API const char* freshet_result_body(const freshet_result* result, size_t* size);

/**
 * The bytes of `data` within the body, the same from every door of Freshet. Its end is at *size,
 * not at a NUL. "" for an error.
 */
FRESHET_API const char* freshet_result_data(const freshet_result* result, size_t* size);

/** The id of the call, "req_…", for a question to the operator; "" where nothing was called. */
FRESHET_API const char* freshet_result_request_id(const freshet_result* result, size_t* size);

/** `page.next_cursor`: where the next page begins; "" on the last page and without pages. */
FRESHET_API const char* freshet_result_next_cursor(const freshet_result* result, size_t* size);

/** The credits that the call was charged. */
FRESHET_API int64_t freshet_result_credits(const freshet_result* result);

/** The credits that the key has left; -1 where the call is not metered or that is not known. */
FRESHET_API int64_t freshet_result_credits_remaining(const freshet_result* result);

/** After how many seconds the call is worth another try; -1 where nothing is known of that. */
FRESHET_API int64_t freshet_result_retry_after_s(const freshet_result* result);

/** Whether the same call may succeed later without a change: 1 or 0. Of a success: 0. */
FRESHET_API int32_t freshet_result_retryable(const freshet_result* result);

/** Gives the result back, and with it every text that was borrowed from it. */
FRESHET_API void freshet_result_free(freshet_result** result);

#ifdef __cplusplus
}
#endif

#endif /* FRESHET_H */
