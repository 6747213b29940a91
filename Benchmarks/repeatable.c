/* Makes what a process executes repeatable, and counts its allocations: LD_PRELOAD, with COSTS_FILE naming nine bytes.
 *
 * - The clocks stop when the ninth byte is not 0. From then on the time is that of the first look at each clock, timers of the kernel never
 *   expire, and whoever waits for events waits without a limit. Otherwise the timers of the event loops would add 200,000 instructions for
 *   each second that the requests take.
 * - Memory comes from lists of blocks, one for each power of two, on cache lines of its own. The C library's allocator needs more or fewer
 *   instructions for the same call, depending on all calls before, and its results have other alignments.
 * - The first eight bytes count the calls of malloc and its kin. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

struct shared {
    _Atomic uint64_t allocations;
    _Atomic char is_stopped;
};
static struct shared unmapped;
static struct shared *shared = &unmapped;

static int (*real_clock_gettime)(clockid_t, struct timespec *);
static int (*real_epoll_wait)(int, struct epoll_event *, int, int);
static int (*real_timerfd_settime)(int, int, const struct itimerspec *, struct itimerspec *);

__attribute__((constructor)) static void prepare(void) {
    real_clock_gettime = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    real_epoll_wait = (int (*)(int, struct epoll_event *, int, int))dlsym(RTLD_NEXT, "epoll_wait");
    real_timerfd_settime = (int (*)(int, int, const struct itimerspec *, struct itimerspec *))dlsym(RTLD_NEXT, "timerfd_settime");
    const char *path = getenv("COSTS_FILE");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *mapped = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (mapped != MAP_FAILED) shared = mapped;
}

/* Clocks */

#define CLOCKS 8
static _Atomic int64_t moments[CLOCKS];

static int is_stopped(void) { return atomic_load_explicit(&shared->is_stopped, memory_order_relaxed) != 0; }

int clock_gettime(clockid_t clock, struct timespec *now) {
    /* A library's constructor may ask before ours has run. */
    if (!real_clock_gettime) prepare();
    int of_time = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || (clock >= CLOCK_MONOTONIC_RAW && clock < CLOCKS);
    if (!of_time || !is_stopped()) return real_clock_gettime(clock, now);
    int64_t moment = atomic_load_explicit(&moments[clock], memory_order_relaxed);
    if (moment == 0) {
        if (real_clock_gettime(clock, now) != 0) return -1;
        int64_t first = (int64_t)now->tv_sec * 1000000000 + now->tv_nsec;
        /* Where another thread was faster, `moment` is what it wrote. */
        if (atomic_compare_exchange_strong(&moments[clock], &moment, first)) moment = first;
    }
    now->tv_sec = moment / 1000000000;
    now->tv_nsec = moment % 1000000000;
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}

int epoll_wait(int poll, struct epoll_event *events, int count, int timeout) {
    return real_epoll_wait(poll, events, count, timeout > 0 && is_stopped() ? -1 : timeout);
}

int timerfd_settime(int file, int flags, const struct itimerspec *value, struct itimerspec *earlier) {
    static const struct itimerspec never;
    return real_timerfd_settime(file, flags, is_stopped() ? &never : value, earlier);
}

/* Memory: a block is a power of two; its header stands before what the caller gets. Each thread has lists of its own, without locks: a block
 * joins the list of the thread that frees it. */

#define LINE ((size_t)64)
#define SMALLEST 7 /* 128 bytes: the header with its padding, and a line */
#define CHUNK ((size_t)4 << 20)

struct header {
    void *block; /* where the block begins; in a free one, the next block is written there */
    uint32_t power;
    uint32_t size; /* in steps of 16 bytes, less 8: what the C library would say that the caller may use */
};

static __thread void *blocks[48] __attribute__((tls_model("initial-exec")));
static __thread char *chunk __attribute__((tls_model("initial-exec")));
static __thread size_t left __attribute__((tls_model("initial-exec")));

static void *system_memory(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void *new_block(size_t size) {
    if (size > CHUNK / 4) return system_memory(size);
    if (left < size) {
        if (!(chunk = system_memory(CHUNK))) {
            left = 0;
            return NULL;
        }
        left = CHUNK;
    }
    void *block = chunk;
    chunk += size;
    left -= size;
    return block;
}

static struct header *header_of(void *memory) { return (struct header *)memory - 1; }

static size_t usable(void *memory) { return (size_t)header_of(memory)->size * 16 + 8; }

static void *allocate(size_t size, size_t alignment) {
    if (alignment < LINE) alignment = LINE;
    if (size > (size_t)1 << 34) {
        errno = ENOMEM;
        return NULL;
    }
    size_t steps = size <= 24 ? 1 : (size + 7) / 16, needed = steps * 16 + 8 + alignment;
    uint32_t power = needed <= (size_t)1 << SMALLEST ? SMALLEST : 64 - (uint32_t)__builtin_clzl(needed - 1);
    void *block = blocks[power];
    if (block)
        blocks[power] = *(void **)block;
    else if (!(block = new_block((size_t)1 << power))) {
        errno = ENOMEM;
        return NULL;
    }
    /* Blocks begin on lines, so this leaves a line before it, at least. */
    void *memory = (void *)(((uintptr_t)block + alignment) & ~(uintptr_t)(alignment - 1));
    *header_of(memory) = (struct header){block, power, (uint32_t)steps};
    return memory;
}

static void count(void) { atomic_fetch_add_explicit(&shared->allocations, 1, memory_order_relaxed); }

void *malloc(size_t size) {
    count();
    return allocate(size, LINE);
}

void *calloc(size_t number, size_t size) {
    count();
    size_t all;
    if (__builtin_mul_overflow(number, size, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    void *memory = allocate(all, LINE);
    return memory ? memset(memory, 0, all) : NULL;
}

void free(void *memory) {
    if (!memory) return;
    struct header *header = header_of(memory);
    void *block = header->block;
    uint32_t power = header->power;
    *(void **)block = blocks[power];
    blocks[power] = block;
}

void *realloc(void *memory, size_t size) {
    count();
    if (!memory) return allocate(size, LINE);
    if (size == 0) {
        free(memory);
        return NULL;
    }
    size_t available = usable(memory);
    if (size <= available && size > available / 2) return memory;
    void *moved = allocate(size, LINE);
    if (!moved) return NULL;
    memcpy(moved, memory, size < available ? size : available);
    free(memory);
    return moved;
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    count();
    void *memory = allocate(size, alignment);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}

void *aligned_alloc(size_t alignment, size_t size) {
    count();
    return allocate(size, alignment);
}

void *memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }

size_t malloc_usable_size(void *memory) { return memory ? usable(memory) : 0; }

int malloc_trim(size_t kept) {
    (void)kept;
    return 0;
}
