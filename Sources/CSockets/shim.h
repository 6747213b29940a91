#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <malloc.h>

// glibc shows these to those who define _GNU_SOURCE alone, which Swift's own module of it does not.
int accept4(int, struct sockaddr *, socklen_t *, int);
int pthread_setname_np(pthread_t, const char *);
// The symbol of an error number (glibc 2.32); nil for a number without one.
const char *strerrorname_np(int);
