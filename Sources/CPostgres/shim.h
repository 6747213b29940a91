#pragma once
#include <dlfcn.h>
#include <stddef.h>
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

/* The program does not link libpq: gateway_load_libpq finds the functions when a database is used for the first time.
   There is no `link` line in the module map, and no pkg-config entry in Package.swift, for the same reason. */

/// The functions of libpq that the program calls, in one list: X(name).
#define GATEWAY_LIBPQ_FUNCTIONS(X)                                                                                                      \
    X(PQlibVersion) X(PQconninfoParse) X(PQconninfoFree) X(PQfreemem) X(PQconnectStartParams) X(PQreset) X(PQfinish) X(PQstatus)        \
    X(PQerrorMessage) X(PQsetErrorVerbosity) X(PQsetNoticeProcessor) X(PQserverVersion) X(PQparameterStatus) X(PQtransactionStatus)     \
    X(PQsocket) X(PQsetnonblocking) X(PQflush) X(PQconsumeInput) X(PQisBusy) X(PQgetResult) X(PQsendQuery) X(PQsendPrepare)             \
    X(PQsendQueryPrepared) X(PQresultStatus) X(PQresultErrorField) X(PQcmdStatus) X(PQclear) X(PQntuples) X(PQnfields) X(PQftype)       \
    X(PQfformat) X(PQgetisnull) X(PQgetlength) X(PQgetvalue) X(PQsslInUse)

/// The functions of a loaded libpq. The header gives each pointer its type, so a call is checked against the declaration.
struct gateway_libpq {
#define GATEWAY_LIBPQ_FIELD(name) __typeof__(&name) name;
    GATEWAY_LIBPQ_FUNCTIONS(GATEWAY_LIBPQ_FIELD)
#undef GATEWAY_LIBPQ_FIELD
};

/// Loads the library and fills the table. 0: every function is there; 1: no such library; 2: the library lacks a function.
static inline int gateway_load_libpq(const char *library, struct gateway_libpq *table) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return 1;
#define GATEWAY_LIBPQ_FIND(name)                                                                                                        \
    if ((*(void **)&table->name = dlsym(handle, #name)) == NULL) {                                                                      \
        dlclose(handle);                                                                                                                \
        return 2;                                                                                                                       \
    }
    GATEWAY_LIBPQ_FUNCTIONS(GATEWAY_LIBPQ_FIND)
#undef GATEWAY_LIBPQ_FIND
    return 0;
}

static inline void gateway_count_notice(void *count, const char *message) {
    (void)message;
    ++*(int *)count;
}

/// Counts the server's warnings instead of printing them to standard error, where libpq puts them: they may hold values.
static inline void gateway_count_notices(const struct gateway_libpq *table, PGconn *connection, int *count) {
    table->PQsetNoticeProcessor(connection, gateway_count_notice, count);
}

/* Fields of an error; Swift does not see macros of characters. */
static const int gateway_field_sqlstate = PG_DIAG_SQLSTATE;
static const int gateway_field_table = PG_DIAG_TABLE_NAME;
static const int gateway_field_column = PG_DIAG_COLUMN_NAME;
static const int gateway_field_constraint = PG_DIAG_CONSTRAINT_NAME;
