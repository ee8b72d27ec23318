/* Freshet's C ABI: JSON in, JSON out, behind opaque handles. The only frozen interface.
 *
 * Rules
 *   Strings in are UTF-8 with a length; (NULL, 0) means empty. Strings out are borrowed: they live
 *   as long as the handle that they come from, and are also terminated with a NUL.
 *   Every function that can fail answers a freshet_result, never NULL, which holds the error; the
 *   only exception is freshet_call_wait, where NULL means "not yet".
 *   Every *_free takes the address of a handle, accepts NULL and a NULL handle, and sets the handle
 *   to NULL.
 *   A client may be used by any number of threads at once. A result or a call belongs to one thread
 *   at a time. No callback is ever made.
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

/* The ABI that this header describes; the library's major version. */
#define FRESHET_ABI 1

typedef struct freshet_client freshet_client; /* an engine in process, or a remote server */
typedef struct freshet_call freshet_call;     /* a call under way */
typedef struct freshet_result freshet_result; /* an answer or an error */

/* The ABI of the library that is loaded; compare it with FRESHET_ABI. */
FRESHET_API uint32_t freshet_abi(void);
/* "0.1.0". Static storage. */
FRESHET_API const char* freshet_version(void);
/* The name of an error's number ("rate_limited"), "" if there is none. Static storage. */
FRESHET_API const char* freshet_error_name(int32_t number);

/* Opens an engine in this process. abi: FRESHET_ABI. config: TOML, or empty for the defaults. On
 * success *out is the client; on failure it is NULL and the result tells why
 * (invalid_configuration). */
FRESHET_API freshet_result* freshet_open(uint32_t abi, const char* config, size_t config_size,
                                         freshet_client** out);
/* A client of a server at base_url ("http://127.0.0.1:8080"). Opens no connection yet. */
FRESHET_API freshet_result* freshet_connect(uint32_t abi, const char* base_url,
                                            size_t base_url_size, freshet_client** out);
/* Cancels the client's calls and waits for them. Free its freshet_call handles first. */
FRESHET_API void freshet_client_free(freshet_client** client);

/* One call, waited for. endpoint: "microblog/search". body: the parameters as one JSON object, or
 * empty. key: the API key, or empty for an engine in process. */
FRESHET_API freshet_result* freshet_client_call(freshet_client* client, const char* endpoint,
                                                size_t endpoint_size, const char* body,
                                                size_t body_size, const char* key, size_t key_size);
/* The same, started. NULL only when there is no memory left. */
FRESHET_API freshet_call* freshet_client_start(freshet_client* client, const char* endpoint,
                                               size_t endpoint_size, const char* body,
                                               size_t body_size, const char* key, size_t key_size);
/* Waits up to timeout_ms (negative: for ever). NULL: not yet. The result is the caller's, once; a
 * later wait answers an error (internal). */
FRESHET_API freshet_result* freshet_call_wait(freshet_call* call, int64_t timeout_ms);
/* Asks that it end early; it then answers `cancelled`. From any thread. */
FRESHET_API void freshet_call_cancel(freshet_call* call);
/* Cancels it if it still runs. */
FRESHET_API void freshet_call_free(freshet_call** call);

/* HTML to markdown, without network and account. options: JSON {"mode", "url", "content_type",
 * "include", "exclude", "links", "images"}, or empty. The body is a document item. */
FRESHET_API freshet_result* freshet_markdown(const char* html, size_t html_size,
                                             const char* options, size_t options_size);

/* 0 for a success, else the error's number (freshet_error_name). */
FRESHET_API int32_t freshet_result_error(const freshet_result* result);
/* The HTTP status that the same call would have over HTTP. */
FRESHET_API int32_t freshet_result_status(const freshet_result* result);
/* The envelope, or the problem document. *size may be NULL. */
FRESHET_API const char* freshet_result_body(const freshet_result* result, size_t* size);
/* The bytes of `data`, the same from every door; "" for an error. Not terminated with a NUL. */
FRESHET_API const char* freshet_result_data(const freshet_result* result, size_t* size);
/* Credits charged. */
FRESHET_API int64_t freshet_result_credits(const freshet_result* result);
FRESHET_API void freshet_result_free(freshet_result** result);

#ifdef __cplusplus
}
#endif

#endif /* FRESHET_H */
