// Preloaded into a server under test: the faults of a disk, of a clock, of a resolver and of the list of
// trusted certificates, which a test switches on by files in the folder that FAULTS names. It touches the
// files of FAULTS_DATA alone, and stands in the way of nothing that no test has switched on.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const char* at(char* to, size_t size, const char* name) {
  const char* folder = getenv("FAULTS");
  snprintf(to, size, "%s/%s", folder ? folder : "/nonexistent", name);
  return to;
}

static int is_on(const char* name) {
  char path[512];
  const int kept = errno;
  const int found = access(at(path, sizeof path, name), F_OK) == 0;
  errno = kept;
  return found;
}

static void note(const char* name, const char* line) {
  char path[512];
  const int file = open(at(path, sizeof path, name), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (file < 0) return;
  if (write(file, line, strlen(line)) < 0) abort();
  close(file);
}

// The name of a file of the server's data folder, or none.
static int name_of(int file, char* to, size_t size) {
  char link[64], path[512];
  const char* data = getenv("FAULTS_DATA");
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0 || data == NULL) return 0;
  path[length] = 0;
  if (strncmp(path, data, strlen(data)) != 0 || path[strlen(data)] != '/') return 0;
  snprintf(to, size, "%s", strrchr(path, '/') + 1);
  return 1;
}

static int is_refused(int file) {
  char name[256];
  if (!is_on("full") || !name_of(file, name, sizeof name) || strncmp(name, "freshet.db", 10) != 0)
    return 0;
  note("refused", "x");
  errno = ENOSPC;
  return 1;
}

ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t from) {
  static ssize_t (*real)(int, const void*, size_t, off64_t);
  if (!real) real = dlsym(RTLD_NEXT, "pwrite64");
  return is_refused(file) ? -1 : real(file, bytes, size, from);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t from) {
  return pwrite64(file, bytes, size, from);
}

// What is synced is kept beside, as it was: this is all that a loss of power must leave.
static void keep(int file) {
  char name[256], part[1024], whole[1024], opened[64], block[1 << 16];
  if (!is_on("kept") || !name_of(file, name, sizeof name)) return;
  struct stat what;
  if (fstat(file, &what) != 0 || !S_ISREG(what.st_mode)) return;
  snprintf(whole, sizeof whole, "%s/kept/%s", getenv("FAULTS"), name);
  snprintf(part, sizeof part, "%s/kept/%s.part", getenv("FAULTS"), name);
  snprintf(opened, sizeof opened, "/proc/self/fd/%d", file);
  const int from = open(opened, O_RDONLY), to = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (ssize_t size; from >= 0 && (size = read(from, block, sizeof block)) > 0;)
    if (write(to, block, (size_t)size) != size) abort();
  close(from);
  close(to);
  if (rename(part, whole) != 0) abort();
}

static int synced(int file, const char* how) {
  char name[256];
  if (is_on("failing_sync") && name_of(file, name, sizeof name)) {
    note("failed_syncs", "x");
    errno = EIO;
    return -1;
  }
  int (*real)(int) = dlsym(RTLD_NEXT, how);
  const int done = real(file);
  if (done == 0) keep(file);
  return done;
}

int fdatasync(int file) { return synced(file, "fdatasync"); }
int fsync(int file) { return synced(file, "fsync"); }

// One name in two answers, and in one: a public address and, behind it, one of ours.
int getaddrinfo(const char* host, const char* service, const struct addrinfo* hints,
                struct addrinfo** found) {
  static int (*real)(const char*, const char*, const struct addrinfo*, struct addrinfo**);
  static atomic_int looked_up;
  if (!real) real = dlsym(RTLD_NEXT, "getaddrinfo");
  if (host != NULL && strstr(host, ".silent.test") != NULL) {
    // Its name server says nothing until the test lets it.
    note("silent_lookups", "x");
    while (is_on("silence")) usleep(10000);
    return EAI_AGAIN;
  }
  if (host == NULL || strstr(host, ".rebind.test") == NULL)
    return real(host, service, hints, found);
  const int is_both = strncmp(host, "both.", 5) == 0;
  const int is_private = !is_both && atomic_fetch_add(&looked_up, 1) % 2 == 1;
  note("lookups", is_both ? "both\n" : is_private ? "private\n" : "public\n");
  const int failed = real(is_private ? "127.0.0.1" : "93.184.215.14", service, hints, found);
  return failed || !is_both ? failed : real("127.0.0.1", service, hints, &(*found)->ai_next);
}

// The time of day is off by as many seconds as the file "clock" says; looked at ten times a second.
int clock_gettime(clockid_t which, struct timespec* to) {
  static int (*real)(clockid_t, struct timespec*);
  static atomic_long offset, looked_at = -1;
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  const int failed = real(which, to);
  if (failed || which != CLOCK_REALTIME) return failed;
  const long now = to->tv_sec * 10 + to->tv_nsec / 100000000;
  if (atomic_exchange(&looked_at, now) != now) {
    char path[512], text[32] = "";
    const int kept = errno;
    const int file = open(at(path, sizeof path, "clock"), O_RDONLY);
    if (file >= 0 && read(file, text, sizeof text - 1) > 0) offset = atol(text);
    if (file >= 0) close(file);
    errno = kept;
  }
  to->tv_sec += offset;
  return 0;
}

int gettimeofday(struct timeval* restrict to, void* restrict zone) {
  struct timespec now;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  to->tv_sec = now.tv_sec;
  to->tv_usec = now.tv_nsec / 1000;
  return 0;
}

// No packet leaves: who connects is noted and refused, but for the ports that "noting" lists.
static int is_let_through(int port) {
  char path[512], text[128] = "";
  const int file = open(at(path, sizeof path, "noting"), O_RDONLY);
  if (file >= 0 && read(file, text, sizeof text - 1) < 0) text[0] = 0;
  if (file >= 0) close(file);
  for (char* part = strtok(text, " "); part; part = strtok(NULL, " "))
    if (atoi(part) == port) return 1;
  return 0;
}

int connect(int file, const struct sockaddr* to, socklen_t size) {
  static int (*real)(int, const struct sockaddr*, socklen_t);
  if (!real) real = dlsym(RTLD_NEXT, "connect");
  if (!is_on("noting") || to->sa_family != AF_INET) return real(file, to, size);
  const struct sockaddr_in* in = (const struct sockaddr_in*)to;
  char address[INET_ADDRSTRLEN], line[INET_ADDRSTRLEN + 8];
  inet_ntop(AF_INET, &in->sin_addr, address, sizeof address);
  snprintf(line, sizeof line, "%s:%d\n", address, ntohs(in->sin_port));
  note("connects", line);
  if (is_let_through(ntohs(in->sin_port))) return real(file, to, size);
  errno = ECONNREFUSED;
  return -1;
}

// The certificates that the system trusts are those that a test has made.
FILE* fopen64(const char* path, const char* how) {
  static FILE* (*real)(const char*, const char*);
  char ours[512];
  if (!real) real = dlsym(RTLD_NEXT, "fopen64");
  if (strstr(path, "ca-certificates.crt") && is_on("trusted.pem")) {
    note("trusted_read", "x");
    return real(at(ours, sizeof ours, "trusted.pem"), how);
  }
  return real(path, how);
}

FILE* fopen(const char* path, const char* how) { return fopen64(path, how); }
