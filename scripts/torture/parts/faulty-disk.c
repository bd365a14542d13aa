// A disk with faults: for LD_PRELOAD. While the file FAULTY_CONTROL holds a word, calls on FAULTY_FILE and on names
// that begin with it fail or take long: "gone", "full", "read-only" or "slow".
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLOW_US 200000

enum kind { READ, WRITE, SYNC };

static int is_ours(int fd) {
  const char *file = getenv("FAULTY_FILE");
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (!file || length < 0) return 0;
  path[length] = 0;
  return strncmp(path, file, strlen(file)) == 0;
}

static void read_word(char *word, size_t size) {
  int control = open(getenv("FAULTY_CONTROL"), O_RDONLY | O_CLOEXEC);
  ssize_t length = control < 0 ? 0 : read(control, word, size - 1);
  if (control >= 0) close(control);
  word[length > 0 ? length : 0] = 0;
}

/** The error of this call; 0 if it goes on. */
static int fault_of(int fd, enum kind kind) {
  char word[16];
  if (!is_ours(fd)) return 0;
  read_word(word, sizeof word);
  if (strcmp(word, "gone") == 0) return EIO;
  if (kind == READ) return 0;
  if (strcmp(word, "full") == 0) return ENOSPC;
  if (strcmp(word, "read-only") == 0) return EROFS;
  if (kind == SYNC && strcmp(word, "slow") == 0) usleep(SLOW_US);
  return 0;
}

#define FAIL_OR(kind, name, type, ...)                              \
  int fault = fault_of(fd, kind);                                   \
  if (fault) return errno = fault, -1;                              \
  return ((type)dlsym(RTLD_NEXT, #name))(__VA_ARGS__)

ssize_t pread64(int fd, void *to, size_t size, off64_t at) {
  FAIL_OR(READ, pread64, ssize_t(*)(int, void *, size_t, off64_t), fd, to, size, at);
}
ssize_t pwrite64(int fd, const void *from, size_t size, off64_t at) {
  FAIL_OR(WRITE, pwrite64, ssize_t(*)(int, const void *, size_t, off64_t), fd, from, size, at);
}
int ftruncate64(int fd, off64_t size) {
  FAIL_OR(WRITE, ftruncate64, int (*)(int, off64_t), fd, size);
}
int fsync(int fd) { FAIL_OR(SYNC, fsync, int (*)(int), fd); }
