/* Goes through a tree with getdents64 and statx: c-statx ROOT THREADS. Prints "files nanoseconds". */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct entry {
    unsigned long long inode;
    long long offset;
    unsigned short length;
    unsigned char type;
    char name[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static char **stack;
static size_t size, room;
static int active;
static long long files, sizes, times;

static void push(char *path) {
    pthread_mutex_lock(&lock);
    if (size == room) {
        room = room ? 2 * room : 1024;
        stack = realloc(stack, room * sizeof *stack);
    }
    stack[size++] = path;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

/* The next directory, or NULL at the end; first says what the thread has done with the last one. */
static char *take(int done) {
    char *path = NULL;
    pthread_mutex_lock(&lock);
    active -= done;
    while (size == 0 && active > 0)
        pthread_cond_wait(&changed, &lock);
    if (size > 0) {
        path = stack[--size];
        active++;
    } else {
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
    return path;
}

static void *work(void *unused) {
    static __thread char buffer[65536] __attribute__((aligned(16)));
    long long my_files = 0, my_sizes = 0, my_times = 0;
    int done = 0;
    char *path;
    while ((path = take(done))) {
        done = 1;
        int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0) {
            perror(path);
            exit(1);
        }
        size_t length = strlen(path);
        long n;
        while ((n = syscall(SYS_getdents64, fd, buffer, sizeof buffer)) > 0) {
            for (long at = 0; at < n;) {
                struct entry *e = (struct entry *)(buffer + at);
                at += e->length;
                if (e->name[0] == '.' && (!e->name[1] || (e->name[1] == '.' && !e->name[2])))
                    continue;
                struct statx st;
                if (syscall(SYS_statx, fd, e->name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT,
                        STATX_TYPE | STATX_NLINK | STATX_INO | STATX_SIZE | STATX_MTIME | STATX_CTIME, &st) != 0)
                    continue;
                if (S_ISDIR(st.stx_mode)) {
                    size_t more = strlen(e->name);
                    char *child = malloc(length + more + 2);
                    memcpy(child, path, length);
                    child[length] = '/';
                    memcpy(child + length + 1, e->name, more + 1);
                    push(child);
                } else {
                    my_files++;
                    my_sizes += st.stx_size;
                    my_times += st.stx_mtime.tv_sec + st.stx_mtime.tv_nsec;
                }
            }
        }
        close(fd);
        free(path);
    }
    pthread_mutex_lock(&lock);
    files += my_files;
    sizes += my_sizes;
    times += my_times;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    int threads = atoi(argv[2]);
    pthread_t ids[64];
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    push(strdup(argv[1]));
    for (int i = 0; i < threads && i < 64; i++)
        pthread_create(&ids[i], NULL, work, NULL);
    for (int i = 0; i < threads && i < 64; i++)
        pthread_join(ids[i], NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (times == 0 && sizes == 0)
        return 3;
    printf("%lld %lld\n", files, (end.tv_sec - begin.tv_sec) * 1000000000LL + end.tv_nsec - begin.tv_nsec);
    return 0;
}
