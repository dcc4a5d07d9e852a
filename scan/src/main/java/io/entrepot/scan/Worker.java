package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Directory;
import io.entrepot.posix.Errno;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Stat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One thread of a scan. Takes a directory, looks, tells the sink, puts its sub-directories on the stack.
 * <p>
 * A call on storage may never come back, and nothing can end it. So the thread that makes it can be <i>abandoned</i>: from
 * then on it has no part in the scan, and when its call comes back after all it closes what it holds and ends. That is one
 * atomic step of {@link #phase}: a thread that wants to tell what it saw, or to change the stack, first goes from CALLING to
 * TELLING, which fails once it is abandoned; and it can be abandoned only while it is not TELLING.
 */
final class Worker implements Runnable {

    /** What the thread is doing. */
    enum Phase {
        /** Waiting for a directory. */
        IDLE,
        /** In calls on storage. */
        CALLING,
        /** In the code of the caller, or changing what all threads share. */
        TELLING, ABANDONED, ENDED
    }

    /** Where it is, and since when. */
    record At(BytePath path, long since) {}

    private final Scan scan;
    private final ScanRequest request;
    private final @Nullable At given;
    private final Tally tally = new Tally();
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.IDLE);
    private final Frame.Builder below = new Frame.Builder();
    private volatile @Nullable At at;
    /** Grows as long as the storage answers. */
    private final AtomicInteger beat = new AtomicInteger();
    /** Of the directory it is in. */
    private volatile int entries;
    private int paidFor;

    /** @param given a directory that another thread was abandoned in, to be told first */
    Worker(Scan scan, @Nullable At given) {
        this.scan = scan;
        this.request = scan.request();
        this.given = given;
    }

    Tally tally() {
        return tally;
    }

    Phase phase() {
        return Objects.requireNonNull(phase.get());
    }

    @Nullable
    At at() {
        return at;
    }

    int beat() {
        return beat.get();
    }

    private void beats() {
        beat.lazySet(beat.getPlain() + 1);
    }

    int entries() {
        return entries;
    }

    /** Whether it has no part in the scan any more. */
    boolean abandon(Phase from) {
        return phase.compareAndSet(from, Phase.ABANDONED);
    }

    @Override
    public void run() {
        try (Lister lister = new Lister(scan.calls(), scan.clock())) {
            Selection selection = Selection.of(request);
            if (given != null) {
                become(Phase.IDLE, Phase.TELLING);
                tell(new Visit.Skipped(given.path(), Visit.Reason.HANGING, Errno.NONE,
                        new Interval(given.since(), scan.clock().nanos())));
                become(Phase.TELLING, Phase.IDLE);
            }
            Frame.Task task = scan.frames().take();
            while (task != null) {
                at = new At(task.path(), scan.clock().nanos());
                entries = 0;
                beats();
                become(Phase.IDLE, Phase.CALLING);
                visit(task, lister, selection);
                scan.frames().done();
                at = null;
                become(Phase.TELLING, Phase.IDLE);
                task = scan.frames().take();
            }
        } catch (InterruptedException e) {
            // Cancelled, or abandoned: others know.
        } catch (Throwable e) {
            if (phase.get() != Phase.ABANDONED) {
                scan.fail(e);
            }
        } finally {
            scan.ended(this, phase.getAndSet(Phase.ENDED) == Phase.ABANDONED);
        }
    }

    /** Ends in the phase TELLING. */
    private void visit(Frame.Task task, Lister lister, Selection selection)
            throws InterruptedException, PosixException {
        long begin = scan.clock().nanos();
        Directory directory;
        Stat self;
        try {
            directory = open(task);
        } catch (PosixException e) {
            become(Phase.CALLING, Phase.TELLING);
            if (task.name() == null) {
                throw e;
            }
            skip(task, e.errno(), begin);
            return;
        }
        boolean kept = false;
        try {
            self = directory.stat();
            beats();
            kept = look(task, directory, self, begin, lister, selection);
        } catch (PosixException e) {
            become(Phase.CALLING, Phase.TELLING);
            skip(task, e.errno(), begin);
        } finally {
            if (!kept) {
                directory.close();
            }
        }
    }

    private Directory open(Frame.Task task) throws PosixException {
        Frame frame = task.frame();
        Name name = task.name();
        try {
            if (name == null) {
                return scan.calls().openDirectory(task.path());
            }
            Directory parent = scan.frames().directoryOf(frame);
            if (parent != null) {
                return parent.open(name);
            }
            Directory again = reopen(frame);
            if (scan.frames().revive(frame, again)) {
                return again.open(name);
            }
            try (again) {
                return again.open(name);
            }
        } finally {
            scan.frames().opened(frame);
        }
    }

    /** Goes down from the root, name by name, to a directory that was closed because too many were open. */
    private Directory reopen(Frame frame) throws PosixException {
        Ancestry ancestry = Objects.requireNonNull(frame.ancestry);
        Directory directory = scan.calls().openDirectory(request.root());
        try {
            for (Name name : ancestry.names()) {
                Directory next = directory.open(name);
                directory.close();
                directory = next;
                beats();
            }
            if (!ancestry.isSame(directory.stat())) {
                throw new PosixException("open", frame.path.toString(), Errno.ENOENT, "another directory is there now");
            }
        } catch (PosixException e) {
            directory.close();
            throw e;
        }
        return directory;
    }

    /** Whether the directory is kept open, for those below. */
    private boolean look(Frame.Task task, Directory directory, Stat self, long begin, Lister lister,
            Selection selection) throws InterruptedException {
        Ancestry above = task.frame().ancestry;
        Name name = task.name();
        Ancestry here = above == null || name == null ? Ancestry.root(self) : above.child(name, self);
        if (above != null) {
            Optional<Visit.Reason> stop = border(above, self);
            if (stop.isPresent()) {
                become(Phase.CALLING, Phase.TELLING);
                tell(new Visit.Skipped(task.path(), stop.get(), Errno.NONE, new Interval(begin, scan.clock().nanos())));
                return false;
            }
        }
        Optional<Remembered> remembered = remembered(task.path(), self);
        below.clear();
        if (remembered.isPresent()) {
            become(Phase.CALLING, Phase.TELLING);
            tell(new Visit.Silent(task.path(), self, new Interval(begin, scan.clock().nanos())));
            if (here.depth() + 1 < request.maxDepth()) {
                enterRemembered(task.path(), remembered.get());
            }
        } else {
            paidFor = 0;
            Listing listing = lister.list(directory, task.path(), self, begin, request.freshness(), selection,
                    this::pace);
            become(Phase.CALLING, Phase.TELLING);
            if (listing.failure() == Errno.ENOENT && task.name() != null) { // removed while it was open
                skip(task, Errno.ENOENT, begin);
                return false;
            }
            tell(listing, lister);
            enter(listing, here);
        }
        if (below.isEmpty()) {
            return false;
        }
        scan.frames().push(below.build(task.path(), here, directory));
        return true;
    }

    private Optional<Visit.Reason> border(Ancestry above, Stat self) {
        boolean mounted = above.isMountedUnder(self);
        if (mounted && !request.crossMounts()) {
            return Optional.of(Visit.Reason.MOUNT_POINT);
        }
        return (mounted || !above.knowsMounts()) && above.contains(self)
                ? Optional.of(Visit.Reason.LOOP)
                : Optional.empty();
    }

    /** What is remembered of a directory that is silent and whose turn it is not. */
    private Optional<Remembered> remembered(BytePath path, Stat self) throws InterruptedException {
        if (request.incremental().isEmpty()) {
            return Optional.empty();
        }
        Incremental incremental = request.incremental().get();
        become(Phase.CALLING, Phase.TELLING);
        Optional<Remembered> remembered = incremental.memory().of(path);
        become(Phase.TELLING, Phase.CALLING);
        return remembered.filter(known -> known.isSilent(self, incremental.margin())
                && !incremental.rotation().isTurnOf(request.root().relativize(path)));
    }

    private void enterRemembered(BytePath path, Remembered remembered) {
        if (request.filter().equals(PathFilter.ALL)) {
            below.addAll(remembered.subdirectories());
            return;
        }
        for (Name name : remembered.subdirectories()) {
            byte[] bytes = request.root().relativize(path.resolve(name)).bytes();
            if (request.filter().keeps(bytes, bytes.length, true) && request.filter().enters(bytes, bytes.length)) {
                below.addAll(List.of(name));
            }
        }
    }

    private void enter(Listing listing, Ancestry here) throws InterruptedException {
        boolean tooDeep = here.depth() + 1 >= request.maxDepth();
        boolean prunes = !request.filter().prune().isEmpty();
        for (int i = 0; i < listing.size(); i++) {
            if (!Frame.isDirectory(listing, i)) {
                continue;
            }
            if (tooDeep || (prunes && isPruned(listing, i))) {
                tally.add(Tally.Of.PRUNED, 1);
            } else if (!request.crossMounts() && listing.failure(i) == Errno.NONE
                    && listing.device(i) != here.device()) {
                // Known before it is opened, which would wake up whatever is mounted there.
                tell(new Visit.Skipped(listing.directory().resolve(listing.name(i)), Visit.Reason.MOUNT_POINT,
                        Errno.NONE, listing.seen()));
            } else {
                below.add(listing, i);
            }
        }
    }

    private boolean isPruned(Listing listing, int i) {
        byte[] path = request.root().relativize(listing.directory().resolve(listing.name(i))).bytes();
        return !request.filter().enters(path, path.length);
    }

    private void skip(Frame.Task task, Errno errno, long begin) throws InterruptedException {
        boolean vanished = task.name() != null
                && (errno == Errno.ENOENT || errno == Errno.ENOTDIR || errno == Errno.ELOOP);
        tell(new Visit.Skipped(task.path(), vanished ? Visit.Reason.VANISHED : Visit.Reason.UNREADABLE, errno,
                new Interval(begin, scan.clock().nanos())));
    }

    private void tell(Listing listing, Lister lister) throws InterruptedException {
        scan.sink().accept(new Visit.Listed(listing));
        long files = 0;
        long directories = 0;
        long symlinks = 0;
        long bytes = 0;
        for (int i = 0; i < listing.size(); i++) {
            switch (listing.type(i)) {
                case FILE -> {
                    files++;
                    bytes += listing.size(i);
                }
                case DIRECTORY -> directories++;
                case SYMLINK -> symlinks++;
                default -> {
                }
            }
            if (listing.failure(i) != Errno.NONE) {
                problem(listing.directory().resolve(listing.name(i)), Problem.Kind.UNKNOWN, listing.failure(i));
            }
        }
        tally.add(Tally.Of.DIRECTORIES, 1);
        tally.add(Tally.Of.ENTRIES, listing.size());
        tally.add(Tally.Of.FILES, files);
        tally.add(Tally.Of.SUBDIRECTORIES, directories);
        tally.add(Tally.Of.SYMLINKS, symlinks);
        tally.add(Tally.Of.OTHERS, listing.size() - files - directories - symlinks);
        tally.add(Tally.Of.BYTES, bytes);
        tally.add(Tally.Of.STATS, lister.stats());
        tally.add(Tally.Of.OMITTED, listing.omitted());
        tally.add(Tally.Of.VANISHED, lister.vanished());
        if (listing.failure() != Errno.NONE) {
            problem(listing.directory(), Problem.Kind.CUT_SHORT, listing.failure());
        }
    }

    private void tell(Visit visit) throws InterruptedException {
        scan.sink().accept(visit);
        switch (visit) {
            case Visit.Silent _ -> tally.add(Tally.Of.SILENT, 1);
            case Visit.Skipped skipped -> {
                switch (skipped.reason()) {
                    case VANISHED -> tally.add(Tally.Of.VANISHED, 1);
                    case MOUNT_POINT, LOOP -> tally.add(Tally.Of.MOUNT_POINTS, 1);
                    case UNREADABLE -> problem(skipped.directory(), Problem.Kind.UNREADABLE, skipped.errno());
                    case HANGING -> problem(skipped.directory(), Problem.Kind.HANGING, skipped.errno());
                }
            }
            case Visit.Listed _ -> throw new IllegalArgumentException("a listing is counted by its entries");
        }
    }

    private void problem(BytePath path, Problem.Kind kind, Errno errno) {
        tally.add(Tally.Of.PROBLEMS, 1);
        scan.problem(new Problem(path, kind, errno));
    }

    private void pace(int read) throws InterruptedException {
        entries = read;
        beats();
        if (scan.isCancelled() || phase.get() == Phase.ABANDONED) {
            throw new InterruptedException();
        }
        scan.throttle().pass(read - paidFor, this::beats);
        paidFor = read;
    }

    /** @throws InterruptedException if it has been abandoned, or the scan is cancelled */
    private void become(Phase from, Phase to) throws InterruptedException {
        if (!phase.compareAndSet(from, to)) {
            throw new InterruptedException();
        }
        if (scan.isCancelled()) {
            throw new InterruptedException();
        }
    }
}
