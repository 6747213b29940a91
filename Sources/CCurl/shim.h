#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>
#include <stddef.h>

/* The program does not link libcurl: gateway_load_libcurl finds the functions when the first mail is sent.
   There is no `link` line in the module map, and no pkg-config entry in Package.swift, for the same reason. */

/// The functions of libcurl that the program calls, in one list: X(name).
#define GATEWAY_LIBCURL_FUNCTIONS(X)                                                                                                    \
    X(curl_global_init) X(curl_easy_init) X(curl_easy_setopt) X(curl_easy_perform) X(curl_easy_getinfo) X(curl_easy_cleanup)            \
    X(curl_easy_strerror) X(curl_slist_append) X(curl_slist_free_all)

/// The functions of a loaded libcurl. The header gives each pointer its type, so a call is checked against the declaration.
struct gateway_libcurl {
#define GATEWAY_LIBCURL_FIELD(name) __typeof__(&name) name;
    GATEWAY_LIBCURL_FUNCTIONS(GATEWAY_LIBCURL_FIELD)
#undef GATEWAY_LIBCURL_FIELD
};

/// Loads the library and fills the table. 0: every function is there; 1: no such library; 2: the library lacks a function.
static inline int gateway_load_libcurl(const char *library, struct gateway_libcurl *table) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return 1;
#define GATEWAY_LIBCURL_FIND(name)                                                                                                      \
    if ((*(void **)&table->name = dlsym(handle, #name)) == NULL) {                                                                      \
        dlclose(handle);                                                                                                                \
        return 2;                                                                                                                       \
    }
    GATEWAY_LIBCURL_FUNCTIONS(GATEWAY_LIBCURL_FIND)
#undef GATEWAY_LIBCURL_FIND
    return 0;
}

/* curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call: one function for each type of argument. */

static inline CURLcode gateway_curl_initialize(const struct gateway_libcurl *table) { return table->curl_global_init(CURL_GLOBAL_DEFAULT); }

static inline CURLcode gateway_curl_set_number(const struct gateway_libcurl *table, CURL *handle, CURLoption option, long value) {
    return table->curl_easy_setopt(handle, option, value);
}

static inline CURLcode gateway_curl_set_text(const struct gateway_libcurl *table, CURL *handle, CURLoption option, const char *value) {
    return table->curl_easy_setopt(handle, option, value);
}

static inline CURLcode gateway_curl_set_list(const struct gateway_libcurl *table, CURL *handle, CURLoption option,
                                             struct curl_slist *value) {
    return table->curl_easy_setopt(handle, option, value);
}

/// A function that libcurl calls with bytes, or for bytes, and the context of its last argument.
typedef size_t (*gateway_curl_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode gateway_curl_set_reader(const struct gateway_libcurl *table, CURL *handle, gateway_curl_callback function,
                                               void *context) {
    CURLcode code = table->curl_easy_setopt(handle, CURLOPT_READFUNCTION, function);
    return code != CURLE_OK ? code : table->curl_easy_setopt(handle, CURLOPT_READDATA, context);
}

static inline CURLcode gateway_curl_set_header_writer(const struct gateway_libcurl *table, CURL *handle, gateway_curl_callback function,
                                                      void *context) {
    CURLcode code = table->curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, function);
    return code != CURLE_OK ? code : table->curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
}

/// The last status of the server; 0 without one.
static inline long gateway_curl_status(const struct gateway_libcurl *table, CURL *handle) {
    long status = 0;
    return table->curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}

/// Bytes that are no header, which libcurl would write to standard output.
static inline CURLcode gateway_curl_set_writer(const struct gateway_libcurl *table, CURL *handle, gateway_curl_callback function) {
    return table->curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, function);
}
