/*
 * Faults of a machine for the process that loads this (LD_PRELOAD): writes and flushes of files below FAULT_FOLDER
 * fail, and the wall clock is off, as the file FAULT_FILE says, which is mapped into memory and may change any time.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct faults {
  volatile int32_t write_error; /* errno of writes, of longer files and of files that are created; 0 for none */
  volatile int32_t flush_error; /* errno of fsync and fdatasync */
  volatile int32_t clock_seconds;
  volatile int32_t met; /* counts what was refused */
};

static struct faults none;
static struct faults *faults = &none;
static const char *folder = "";

__attribute__((constructor)) static void load(void) {
  const char *file = getenv("FAULT_FILE");
  if (getenv("FAULT_FOLDER")) folder = getenv("FAULT_FOLDER");
  int fd = file ? open(file, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void *mapped = mmap(0, sizeof none, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (mapped != MAP_FAILED) faults = mapped;
  close(fd);
}

static int below(const char *path) { return *folder && strncmp(path, folder, strlen(folder)) == 0; }

static int ours(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return below(path);
}

static int refuse(int error) {
  faults->met++;
  errno = error;
  return -1;
}

#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))
#define FAIL(error, fd) \
  if (faults->error && ours(fd)) return refuse(faults->error)

ssize_t write(int fd, const void *from, size_t size) {
  FAIL(write_error, fd);
  return REAL(write)(fd, from, size);
}
ssize_t pwrite(int fd, const void *from, size_t size, off_t at) {
  FAIL(write_error, fd);
  return REAL(pwrite)(fd, from, size, at);
}
ssize_t pwrite64(int fd, const void *from, size_t size, off64_t at) {
  FAIL(write_error, fd);
  return REAL(pwrite64)(fd, from, size, at);
}
ssize_t writev(int fd, const struct iovec *from, int count) {
  FAIL(write_error, fd);
  return REAL(writev)(fd, from, count);
}
int ftruncate64(int fd, off64_t size) {
  FAIL(write_error, fd);
  return REAL(ftruncate64)(fd, size);
}
int fsync(int fd) {
  FAIL(flush_error, fd);
  return REAL(fsync)(fd);
}
int fdatasync(int fd) {
  FAIL(flush_error, fd);
  return REAL(fdatasync)(fd);
}

static int open_any(const char *name, const char *path, int flags, va_list more) {
  mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
  /* A full disk has no room for another file either. */
  if (faults->write_error && flags & O_CREAT && below(path) && access(path, F_OK) != 0)
    return refuse(faults->write_error);
  return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, name))(path, flags, mode);
}
int open(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  int fd = open_any("open", path, flags, more);
  va_end(more);
  return fd;
}
int open64(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  int fd = open_any("open64", path, flags, more);
  va_end(more);
  return fd;
}

/* Only the wall clock has steps. */
int clock_gettime(clockid_t id, struct timespec *now) {
  int result = REAL(clock_gettime)(id, now);
  if (id == CLOCK_REALTIME) now->tv_sec += faults->clock_seconds;
  return result;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  int result = REAL(gettimeofday)(now, zone);
  now->tv_sec += faults->clock_seconds;
  return result;
}
