#pragma once
#include <dlfcn.h>
#include <qrencode.h>
#include <stddef.h>

/* The program does not link libqrencode: gateway_load_libqrencode finds the functions for the first QR code.
   There is no `link` line in the module map, and no pkg-config entry in Package.swift, for the same reason. */

/// The functions of libqrencode that the program calls, in one list: X(name).
#define GATEWAY_LIBQRENCODE_FUNCTIONS(X) X(QRcode_encodeData) X(QRcode_free)

/// The functions of a loaded libqrencode. The header gives each pointer its type, so a call is checked against the declaration.
struct gateway_libqrencode {
#define GATEWAY_LIBQRENCODE_FIELD(name) __typeof__(&name) name;
    GATEWAY_LIBQRENCODE_FUNCTIONS(GATEWAY_LIBQRENCODE_FIELD)
#undef GATEWAY_LIBQRENCODE_FIELD
};

/// Loads the library and fills the table. 0: every function is there; 1: no such library; 2: the library lacks a function.
static inline int gateway_load_libqrencode(const char *library, struct gateway_libqrencode *table) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return 1;
#define GATEWAY_LIBQRENCODE_FIND(name)                                                                                                  \
    if ((*(void **)&table->name = dlsym(handle, #name)) == NULL) {                                                                      \
        dlclose(handle);                                                                                                                \
        return 2;                                                                                                                       \
    }
    GATEWAY_LIBQRENCODE_FUNCTIONS(GATEWAY_LIBQRENCODE_FIND)
#undef GATEWAY_LIBQRENCODE_FIND
    return 0;
}
