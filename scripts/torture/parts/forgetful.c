// A disk that forgets: for LD_PRELOAD. The files of FORGETFUL_FILE (its name, and names that begin with it) have
// a second copy in FORGETFUL_COPIES, and only fsync and fdatasync bring that copy up to date. After a power cut
// nothing is certain but the copies.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK 4096

static void fail(const char *what) {
  perror(what);
  // Whatever the program did next would be no proof.
  abort();
}

/** The copy of this file, open for writing; -1 if it has none. */
static int open_copy(int fd) {
  const char *file = getenv("FORGETFUL_FILE"), *copies = getenv("FORGETFUL_COPIES");
  char link[64], path[PATH_MAX], copy[2 * PATH_MAX];
  if (!file || !copies) return -1;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return -1;
  path[length] = 0;
  if (strncmp(path, file, strlen(file)) != 0) return -1;
  snprintf(copy, sizeof copy, "%s/%s", copies, strrchr(path, '/') + 1);
  int result = open(copy, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (result < 0) fail(copy);
  return result;
}

/** Compares block by block, since writes of other threads and processes count, too. */
static int sync_copy(int fd) {
  int copy = open_copy(fd);
  if (copy < 0) return 0;
  char now[BLOCK], before[BLOCK];
  off_t at = 0;
  for (ssize_t length; (length = pread(fd, now, BLOCK, at)) > 0; at += length) {
    ssize_t known = pread(copy, before, length, at);
    if (known == length && memcmp(now, before, length) == 0) continue;
    if (pwrite(copy, now, length, at) != length) fail("pwrite");
  }
  if (ftruncate(copy, at) != 0) fail("ftruncate");
  close(copy);
  return 0;
}

int fsync(int fd) { return sync_copy(fd); }
int fdatasync(int fd) { return sync_copy(fd); }
