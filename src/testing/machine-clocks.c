// Gives one process the clocks of a machine of its own: LD_PRELOAD puts it before the C library. The real ones go on, and
// what is added to each stands in a file that a test writes meanwhile (machine-clocks.ts). It never waits, and changes
// nothing but what time it is, since when the machine is up, and which boot this is.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)

// Nanoseconds.
struct added {
  int64_t calendar, monotonic, boot;
};

// One of two is in use while the other is written, so that all clocks move at once.
struct clocks {
  int64_t in_use;
  struct added either[2];
};

static const volatile struct clocks *clocks;
static char boot_id[4096];

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("MACHINE_CLOCKS");
  char file[sizeof boot_id];
  if (!folder) return;
  snprintf(boot_id, sizeof boot_id, "%s/boot_id", folder);
  snprintf(file, sizeof file, "%s/added", folder);
  int opened = syscall(SYS_openat, AT_FDCWD, file, O_RDONLY | O_CLOEXEC);
  if (opened < 0) abort();
  void *mapped = mmap(NULL, sizeof *clocks, PROT_READ, MAP_SHARED, opened, 0);
  if (mapped == MAP_FAILED) abort();
  close(opened);
  clocks = mapped;
}

static int64_t added_to(clockid_t clock) {
  if (!clocks) return 0;
  const volatile struct added *added = &clocks->either[clocks->in_use & 1];
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
      return added->calendar;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
      return added->monotonic;
    case CLOCK_BOOTTIME:
      return added->boot;
    default:
      return 0;
  }
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (syscall(SYS_clock_gettime, clock, time) != 0) return -1;
  int64_t all = time->tv_sec * SECOND + time->tv_nsec + added_to(clock);
  time->tv_sec = all / SECOND;
  time->tv_nsec = all % SECOND;
  return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  struct timespec now;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *kept) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (kept) *kept = now.tv_sec;
  return now.tv_sec;
}

// The two files in which Linux tells how long it is up and which boot this is.
static int open_file(const char *path, int flags, mode_t mode) {
  if (clocks && strcmp(path, "/proc/uptime") == 0) {
    struct timespec up;
    int file = syscall(SYS_memfd_create, "uptime", flags & O_CLOEXEC ? 1 : 0);
    if (file < 0) return -1;
    clock_gettime(CLOCK_BOOTTIME, &up);
    dprintf(file, "%lld.%02ld 0.00\n", (long long)up.tv_sec, up.tv_nsec / 10000000);
    lseek(file, 0, SEEK_SET);
    return file;
  }
  if (clocks && strcmp(path, "/proc/sys/kernel/random/boot_id") == 0) path = boot_id;
  return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

#define MODE_OF(flags, mode)                     \
  mode_t mode = 0;                               \
  if ((flags) & (O_CREAT | O_TMPFILE)) {         \
    va_list rest;                                \
    va_start(rest, flags);                       \
    mode = va_arg(rest, mode_t);                 \
    va_end(rest);                                \
  }

int open(const char *path, int flags, ...) {
  MODE_OF(flags, mode)
  return open_file(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE_OF(flags, mode)
  return open_file(path, flags | O_LARGEFILE, mode);
}
