// A disk that fails, for LD_PRELOAD: while the file FAILING_WHEN exists, every access to the files whose path
// begins with FAILING_FILE is an I/O error.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fails(int fd) {
  const char *file = getenv("FAILING_FILE"), *when = getenv("FAILING_WHEN");
  if (!file || !when || access(when, F_OK) != 0) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  if (strncmp(path, file, strlen(file)) != 0) return 0;
  errno = EIO;
  return 1;
}

#define REAL(name)                  \
  static __typeof__(name) *real;    \
  if (!real) real = dlsym(RTLD_NEXT, #name)

ssize_t pread64(int fd, void *to, size_t size, off64_t at) {
  REAL(pread64);
  return fails(fd) ? -1 : real(fd, to, size, at);
}

ssize_t pwrite64(int fd, const void *from, size_t size, off64_t at) {
  REAL(pwrite64);
  return fails(fd) ? -1 : real(fd, from, size, at);
}

int fsync(int fd) {
  REAL(fsync);
  return fails(fd) ? -1 : real(fd);
}

int fdatasync(int fd) {
  REAL(fdatasync);
  return fails(fd) ? -1 : real(fd);
}
