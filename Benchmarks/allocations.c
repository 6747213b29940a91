/* Counts calls of malloc and its kin into a file that is mapped shared: LD_PRELOAD, with ALLOCATIONS_FILE naming eight bytes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic unsigned long long unmapped;
static _Atomic unsigned long long *counter = &unmapped;
static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static int (*real_posix_memalign)(void **, size_t, size_t);
static void *(*real_aligned_alloc)(size_t, size_t);

/* dlsym itself allocates before the real functions are known. */
static char early[65536];
static size_t early_used;

static void *early_allocation(size_t size) {
    size_t start = (early_used + 15) & ~(size_t)15;
    if (start + size > sizeof early) abort();
    early_used = start + size;
    return early + start;
}

static int is_early(const void *pointer) { return (const char *)pointer >= early && (const char *)pointer < early + sizeof early; }

__attribute__((constructor)) static void prepare(void) {
    const char *path = getenv("ALLOCATIONS_FILE");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file >= 0) {
        void *mapped = mmap(NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (mapped != MAP_FAILED) counter = mapped;
        close(file);
    }
}

static void count(void) { atomic_fetch_add_explicit(counter, 1, memory_order_relaxed); }

/* A library's constructor may allocate before ours has run. */
static void find(void) {
    static int finding;
    if (finding) return;
    finding = 1;
    real_malloc = dlsym(RTLD_NEXT, "malloc");
    real_calloc = dlsym(RTLD_NEXT, "calloc");
    real_realloc = dlsym(RTLD_NEXT, "realloc");
    real_posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
    real_aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
}

void *malloc(size_t size) {
    count();
    if (!real_malloc) find();
    return real_malloc ? real_malloc(size) : early_allocation(size);
}

void *calloc(size_t number, size_t size) {
    count();
    if (!real_calloc) find();
    return real_calloc ? real_calloc(number, size) : early_allocation(number * size);
}

void *realloc(void *pointer, size_t size) {
    count();
    if (!is_early(pointer) && real_realloc) return real_realloc(pointer, size);
    void *moved = malloc(size);
    if (pointer && moved) memcpy(moved, pointer, size);
    return moved;
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    count();
    if (!real_posix_memalign) find();
    return real_posix_memalign(result, alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count();
    if (!real_aligned_alloc) find();
    return real_aligned_alloc(alignment, size);
}

static void (*real_free)(void *);
void free(void *pointer) {
    if (!pointer || is_early(pointer)) return;
    if (!real_free) real_free = dlsym(RTLD_NEXT, "free");
    real_free(pointer);
}
