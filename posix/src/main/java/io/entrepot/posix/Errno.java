package io.entrepot.posix;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Why a call failed, as the kernel says it. One object for each number, so results can be compared with {@code ==}; numbers
 * without a constant here are kept. The numbers are those of Linux. Immutable.
 */
public final class Errno {
    private static final int MOST = 4096;
    private static final AtomicReferenceArray<Errno> ALL = new AtomicReferenceArray<>(MOST);
    private static final Map<String, Errno> BY_MEANING = new HashMap<>();

    /** The call did not fail. */
    public static final Errno NONE = known(0, "OK", "success");
    public static final Errno EPERM = known(1, "EPERM", "operation not permitted");
    public static final Errno ENOENT = known(2, "ENOENT", "no such file or directory");
    public static final Errno EINTR = known(4, "EINTR", "interrupted system call");
    public static final Errno EIO = known(5, "EIO", "input/output error");
    public static final Errno ENXIO = known(6, "ENXIO", "no such device or address");
    public static final Errno E2BIG = known(7, "E2BIG", "argument list too long");
    public static final Errno EBADF = known(9, "EBADF", "bad file descriptor");
    public static final Errno EAGAIN = known(11, "EAGAIN", "resource temporarily unavailable");
    public static final Errno ENOMEM = known(12, "ENOMEM", "cannot allocate memory");
    public static final Errno EACCES = known(13, "EACCES", "permission denied");
    public static final Errno EFAULT = known(14, "EFAULT", "bad address");
    public static final Errno EBUSY = known(16, "EBUSY", "device or resource busy");
    public static final Errno EEXIST = known(17, "EEXIST", "file exists");
    public static final Errno EXDEV = known(18, "EXDEV", "invalid cross-device link");
    public static final Errno ENODEV = known(19, "ENODEV", "no such device");
    public static final Errno ENOTDIR = known(20, "ENOTDIR", "not a directory");
    public static final Errno EISDIR = known(21, "EISDIR", "is a directory");
    public static final Errno EINVAL = known(22, "EINVAL", "invalid argument");
    public static final Errno ENFILE = known(23, "ENFILE", "too many open files in system");
    public static final Errno EMFILE = known(24, "EMFILE", "too many open files");
    public static final Errno ETXTBSY = known(26, "ETXTBSY", "text file busy");
    public static final Errno EFBIG = known(27, "EFBIG", "file too large");
    public static final Errno ENOSPC = known(28, "ENOSPC", "no space left on device");
    public static final Errno EROFS = known(30, "EROFS", "read-only file system");
    public static final Errno EMLINK = known(31, "EMLINK", "too many links");
    public static final Errno ERANGE = known(34, "ERANGE", "numerical result out of range");
    public static final Errno ENAMETOOLONG = known(36, "ENAMETOOLONG", "file name too long");
    public static final Errno ENOSYS = known(38, "ENOSYS", "function not implemented");
    public static final Errno ENOTEMPTY = known(39, "ENOTEMPTY", "directory not empty");
    public static final Errno ELOOP = known(40, "ELOOP", "too many levels of symbolic links");
    public static final Errno ENODATA = known(61, "ENODATA", "no data available");
    public static final Errno ENOLINK = known(67, "ENOLINK", "link has been severed");
    public static final Errno EOVERFLOW = known(75, "EOVERFLOW", "value too large for defined data type");
    public static final Errno EILSEQ = known(84, "EILSEQ", "invalid or incomplete multibyte or wide character");
    public static final Errno ENOTSUP = known(95, "ENOTSUP", "operation not supported");
    public static final Errno ENOTCONN = known(107, "ENOTCONN", "transport endpoint is not connected");
    public static final Errno ETIMEDOUT = known(110, "ETIMEDOUT", "connection timed out");
    public static final Errno EHOSTDOWN = known(112, "EHOSTDOWN", "host is down");
    public static final Errno EHOSTUNREACH = known(113, "EHOSTUNREACH", "no route to host");
    public static final Errno ESTALE = known(116, "ESTALE", "stale file handle");
    public static final Errno EREMOTEIO = known(121, "EREMOTEIO", "remote I/O error");
    public static final Errno EDQUOT = known(122, "EDQUOT", "disk quota exceeded");
    public static final Errno EKEYEXPIRED = known(127, "EKEYEXPIRED", "key has expired");

    private final int number;
    private final String symbol;
    private final String meaning;

    private Errno(int number, String symbol, String meaning) {
        this.number = number;
        this.symbol = symbol;
        this.meaning = meaning;
    }

    private static Errno known(int number, String symbol, String meaning) {
        Errno errno = new Errno(number, symbol, meaning);
        ALL.set(number, errno);
        BY_MEANING.put(meaning.toLowerCase(Locale.ROOT), errno);
        return errno;
    }

    /** Allocates at most once for each number. */
    public static Errno of(int number) {
        if (number < 0 || number >= MOST) {
            throw new IllegalArgumentException(number + " is not an error number");
        }
        Errno errno = ALL.get(number);
        if (errno == null) {
            ALL.compareAndSet(number, null, new Errno(number, "errno " + number, "error " + number));
            errno = ALL.get(number);
        }
        return errno;
    }

    /** By what the C library calls it, as in the reasons of Java's own exceptions. */
    public static Optional<Errno> ofMeaning(String meaning) {
        return Optional.ofNullable(BY_MEANING.get(meaning.toLowerCase(Locale.ROOT)));
    }

    /** Those with a constant, by number. */
    public static List<Errno> known() {
        return BY_MEANING.values().stream().sorted((a, b) -> Integer.compare(a.number, b.number)).toList();
    }

    public int number() {
        return number;
    }

    /** As in the manual: {@code EACCES}. */
    public String symbol() {
        return symbol;
    }

    /** In plain words: {@code permission denied}. */
    public String meaning() {
        return meaning;
    }

    @Override
    public String toString() {
        return symbol;
    }
}
