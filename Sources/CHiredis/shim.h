#pragma once
#include <dlfcn.h>
#include <hiredis/hiredis.h>
#include <stdlib.h>
#include <string.h>

/* The program does not link hiredis: gateway_load_hiredis finds the functions when a session store is used for the first time.
   There is no `link` line in the module map, and no pkg-config entry in Package.swift, for the same reason. */

/// The functions of hiredis that the program calls, in one list: X(name).
#define GATEWAY_HIREDIS_FUNCTIONS(X)                                                                                                    \
    X(redisReaderCreateWithFunctions) X(redisReaderFree) X(redisReaderFeed) X(redisReaderGetReply)

/// The functions of a loaded hiredis. The header gives each pointer its type, so a call is checked against the declaration.
struct gateway_hiredis {
#define GATEWAY_HIREDIS_FIELD(name) __typeof__(&name) name;
    GATEWAY_HIREDIS_FUNCTIONS(GATEWAY_HIREDIS_FIELD)
#undef GATEWAY_HIREDIS_FIELD
};

#define GATEWAY_HIREDIS_TEXT(value) #value
#define GATEWAY_HIREDIS_NAME(version) "libhiredis.so." GATEWAY_HIREDIS_TEXT(version)
/// The library of the headers that the program was compiled with: the layout of the reader changes between versions.
static const char *const gateway_hiredis_library = GATEWAY_HIREDIS_NAME(HIREDIS_SONAME);

/// Loads the library and fills the table. 0: every function is there; 1: no such library; 2: the library lacks a function.
static inline int gateway_load_hiredis(const char *library, struct gateway_hiredis *table) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return 1;
#define GATEWAY_HIREDIS_FIND(name)                                                                                                      \
    if ((*(void **)&table->name = dlsym(handle, #name)) == NULL) {                                                                      \
        dlclose(handle);                                                                                                                \
        return 2;                                                                                                                       \
    }
    GATEWAY_HIREDIS_FUNCTIONS(GATEWAY_HIREDIS_FIND)
#undef GATEWAY_HIREDIS_FIND
    return 0;
}

/// A reply, or a part of one. hiredis fills it through the functions below, so its own `redisReply` is not used.
struct gateway_reply {
    int type;
    long long integer;
    size_t length;
    char *text;
    size_t count;
    struct gateway_reply **elements;
};

/// No array of a reply has more elements; CLUSTER SLOTS has at most 16384.
static const long long gateway_most_elements = 65536;

static inline void gateway_reply_free(void *object) {
    struct gateway_reply *reply = (struct gateway_reply *)object;
    if (reply == NULL || reply->type == REDIS_REPLY_NIL) return;
    for (size_t index = 0; index < reply->count; index++) gateway_reply_free(reply->elements[index]);
    free(reply->elements);
    free(reply->text);
    free(reply);
}

/// Stands for every nil; the questions about a session get some in each reply.
static struct gateway_reply gateway_nil = {.type = REDIS_REPLY_NIL};

static inline struct gateway_reply *gateway_reply_make(const redisReadTask *task) {
    struct gateway_reply *reply = (struct gateway_reply *)malloc(sizeof(struct gateway_reply));
    if (reply != NULL) *reply = (struct gateway_reply){.type = task->type};
    return reply;
}

/// Puts a complete part where it belongs, and returns it.
static inline void *gateway_reply_place(const redisReadTask *task, struct gateway_reply *reply) {
    if (reply != NULL && task->parent != NULL) ((struct gateway_reply *)task->parent->obj)->elements[task->idx] = reply;
    return reply;
}

static inline void *gateway_reply_string(const redisReadTask *task, char *text, size_t length) {
    struct gateway_reply *reply = gateway_reply_make(task);
    if (reply == NULL) return NULL;
    reply->text = (char *)malloc(length + 1);
    if (reply->text == NULL) {
        free(reply);
        return NULL;
    }
    memcpy(reply->text, text, length);
    reply->length = length;
    return gateway_reply_place(task, reply);
}

static inline void *gateway_reply_array_of(const redisReadTask *task, long long count) {
    if (count < 0 || count > gateway_most_elements) return NULL;
    struct gateway_reply *reply = gateway_reply_make(task);
    if (reply == NULL) return NULL;
    if (count > 0) {
        reply->elements = (struct gateway_reply **)calloc((size_t)count, sizeof(struct gateway_reply *));
        if (reply->elements == NULL) {
            free(reply);
            return NULL;
        }
        reply->count = (size_t)count;
    }
    return gateway_reply_place(task, reply);
}

static inline void *gateway_reply_integer(const redisReadTask *task, long long value) {
    struct gateway_reply *reply = gateway_reply_make(task);
    if (reply != NULL) reply->integer = value;
    return gateway_reply_place(task, reply);
}

static inline void *gateway_reply_nil(const redisReadTask *task) { return gateway_reply_place(task, &gateway_nil); }

#if HIREDIS_MAJOR >= 1
static inline void *gateway_reply_array(const redisReadTask *task, size_t count) {
    return gateway_reply_array_of(task, count > (size_t)gateway_most_elements ? -1 : (long long)count);
}
/* Only RESP3 has these, which the program never asks for: NULL makes the reader fail. */
static inline void *gateway_reply_double(const redisReadTask *task, double value, char *text, size_t length) {
    (void)task, (void)value, (void)text, (void)length;
    return NULL;
}
static inline void *gateway_reply_bool(const redisReadTask *task, int value) {
    (void)task, (void)value;
    return NULL;
}
static redisReplyObjectFunctions gateway_reply_functions = {
    .createString = gateway_reply_string,
    .createArray = gateway_reply_array,
    .createInteger = gateway_reply_integer,
    .createDouble = gateway_reply_double,
    .createNil = gateway_reply_nil,
    .createBool = gateway_reply_bool,
    .freeObject = gateway_reply_free,
};
#else
static inline void *gateway_reply_array(const redisReadTask *task, int count) { return gateway_reply_array_of(task, count); }
static redisReplyObjectFunctions gateway_reply_functions = {
    .createString = gateway_reply_string,
    .createArray = gateway_reply_array,
    .createInteger = gateway_reply_integer,
    .createNil = gateway_reply_nil,
    .freeObject = gateway_reply_free,
};
#endif

static inline redisReader *gateway_reader_make(const struct gateway_hiredis *table) {
    return table->redisReaderCreateWithFunctions(&gateway_reply_functions);
}

/// Takes the next complete reply. 1: `*reply` is the caller's; 0: more bytes are needed; -1: the bytes are no replies.
static inline int gateway_reader_next(const struct gateway_hiredis *table, redisReader *reader, struct gateway_reply **reply) {
    void *object = NULL;
    if (table->redisReaderGetReply(reader, &object) != REDIS_OK) return -1;
    *reply = (struct gateway_reply *)object;
    return object != NULL;
}
