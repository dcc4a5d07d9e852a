package io.entrepot.lab;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Capability;
import io.entrepot.posix.Cursor;
import io.entrepot.posix.Directory;
import io.entrepot.posix.DirectoryReader;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.Mount;
import io.entrepot.posix.Name;
import io.entrepot.posix.Notification;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.StatField;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The real calls, with faults in places, and counted. Safe for use by many threads. */
public final class FaultyCalls implements FileCalls {
    private final FileCalls real;
    private final Map<BytePath, Errno> unopenable = new ConcurrentHashMap<>();
    private final Map<BytePath, Cut> cuts = new ConcurrentHashMap<>();
    private final Map<BytePath, Errno> unlookable = new ConcurrentHashMap<>();
    private final Map<BytePath, CountDownLatch> hanging = new ConcurrentHashMap<>();
    private final Map<BytePath, Runnable> beforeOpen = new ConcurrentHashMap<>();
    private final Set<Capability> lacking = ConcurrentHashMap.newKeySet();
    private final AtomicLong stats = new AtomicLong();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger mostOpen = new AtomicInteger();
    private final CallFaults faults = new CallFaults();

    private record Cut(int after, Errno errno) {}

    public FaultyCalls() {
        this(FileCalls.system());
    }

    public FaultyCalls(FileCalls real) {
        this.real = real;
    }

    public void failToOpen(BytePath directory, Errno errno) {
        unopenable.put(directory, errno);
    }

    public void cutShort(BytePath directory, int after, Errno errno) {
        cuts.put(directory, new Cut(after, errno));
    }

    public void failToLook(BytePath entry, Errno errno) {
        unlookable.put(entry, errno);
    }

    /** Reading it does not come back before the latch opens. */
    public CountDownLatch hang(BytePath directory) {
        CountDownLatch latch = new CountDownLatch(1);
        hanging.put(directory, latch);
        return latch;
    }

    /**
     * So many calls fail, wherever they are made.
     *
     * @param call a method of {@link Directory} or of the channels it gives: {@code rename}, {@code write}, {@code force}
     */
    public void failCalls(String call, Errno errno, int times) {
        faults.fail(call, errno, times);
    }

    public void failCalls(String call, Errno errno) {
        failCalls(call, errno, Integer.MAX_VALUE);
    }

    /** They are not made before the latch opens. */
    public CountDownLatch hangCalls(String call) {
        return faults.hang(call);
    }

    /** Right before each of them, on its thread. */
    public void beforeCalls(String call, Runnable action) {
        faults.beforeEach(call, action);
    }

    /** How many of them were begun so far, whether they failed or not. */
    public long made(String call) {
        return faults.made(call);
    }

    /** Takes back what was said of calls. */
    public void healCalls() {
        faults.heal();
    }

    /** Right before a directory is opened. */
    public void beforeOpen(BytePath directory, Runnable action) {
        beforeOpen.put(directory, action);
    }

    /** How often an entry was looked at. */
    public long stats() {
        return stats.get();
    }

    /** Counts from nothing again. */
    public void forgetStats() {
        stats.set(0);
    }

    /** How many directories are open. */
    public int open() {
        return open.get();
    }

    /** How many were open at a time, at most. */
    public int mostOpen() {
        return mostOpen.get();
    }

    /** How many calls hang. */
    public int inHang() {
        return faults.inHang();
    }

    @Override
    public Set<Capability> capabilities() {
        return real.capabilities().stream().filter(one -> !lacking.contains(one))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** From now on it says that it cannot do that. */
    public FaultyCalls lack(Capability capability) {
        lacking.add(capability);
        return this;
    }

    @Override
    public Directory openDirectory(BytePath path) throws PosixException {
        check(path);
        return wrap(real.openDirectory(path));
    }

    @Override
    public DirectoryReader newReader(Set<StatField> fields) {
        DirectoryReader reader = real.newReader(fields);
        return new DirectoryReader() {
            @Override
            public Cursor list(Directory directory) throws PosixException {
                BytePath path = directory.path();
                awaitLatch(path);
                Directory inner = ((Wrapped) Proxy.getInvocationHandler(directory)).directory;
                return wrap(reader.list(inner), path);
            }

            @Override
            public void close() {
                reader.close();
            }
        };
    }

    @Override
    public Optional<Notification> notification() {
        return real.notification();
    }

    @Override
    public Mount mountOf(BytePath path) throws IOException {
        return real.mountOf(path);
    }

    private void check(BytePath path) throws PosixException {
        Optional.ofNullable(beforeOpen.remove(path)).ifPresent(Runnable::run);
        Errno errno = unopenable.get(path);
        if (errno != null) {
            throw new PosixException("open", path.toString(), errno);
        }
    }

    private void awaitLatch(BytePath path) {
        CountDownLatch latch = hanging.get(path);
        if (latch != null) {
            faults.await(latch);
        }
    }

    private Directory wrap(Directory directory) {
        mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
        return (Directory) Proxy.newProxyInstance(Directory.class.getClassLoader(), new Class<?>[]{Directory.class},
                new Wrapped(directory));
    }

    private final class Wrapped implements InvocationHandler {
        final Directory directory;
        private boolean closed;

        Wrapped(Directory directory) {
            this.directory = directory;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
                throws Throwable {
            String call = method.getName();
            if (call.equals("open") && arguments != null) {
                check(directory.path().resolve((Name) arguments[0]));
                return wrap(directory.open((Name) arguments[0]));
            }
            if (call.equals("close") && !closed) {
                closed = true;
                open.decrementAndGet();
            }
            before(call, arguments);
            Object result = forward(directory, method, unwrapped(arguments));
            return result instanceof FileChannel channel ? new FaultyChannel(channel, faults) : result;
        }

        private void before(String call, Object @Nullable [] arguments) throws PosixException {
            for (String part : parts(call, arguments)) {
                Optional<Errno> errno = faults.before(part);
                if (errno.isPresent()) {
                    throw new PosixException(part, directory.path().toString(), errno.get());
                }
            }
        }
    }

    /** A whole file is made by the calls that a channel would be used for. */
    private static List<String> parts(String call, Object @Nullable [] arguments) {
        boolean inPlace = call.equals("createInPlace");
        if (arguments == null || !(inPlace || call.equals("createWhole"))) {
            return List.of(call);
        }
        List<String> parts = new ArrayList<>(List.of("create", "write"));
        if (!((Map<?, ?>) arguments[3]).isEmpty()) {
            parts.add("setAttribute");
        }
        if (inPlace) {
            parts.add("chmod");
        }
        return parts;
    }

    private static Object @Nullable [] unwrapped(Object @Nullable [] arguments) {
        return arguments == null ? null : Arrays.stream(arguments).map(FaultyCalls::unwrapped).toArray();
    }

    private static Object unwrapped(Object argument) {
        return Proxy.isProxyClass(argument.getClass())
                && Proxy.getInvocationHandler(argument) instanceof Wrapped wrapped ? wrapped.directory : argument;
    }

    private Cursor wrap(Cursor cursor, BytePath directory) {
        Cut cut = cuts.get(directory);
        int[] read = {0};
        return (Cursor) Proxy.newProxyInstance(Cursor.class.getClassLoader(), new Class<?>[]{Cursor.class},
                (_, method, arguments) -> {
                    if (method.getName().equals("next") && cut != null && read[0]++ == cut.after()) {
                        throw new PosixException("list", directory.toString(), cut.errno());
                    }
                    if (method.getName().equals("stat") && arguments != null) {
                        stats.incrementAndGet();
                        Errno errno = unlookable.get(directory.resolve(cursor.name()));
                        return errno == null ? cursor.stat((Freshness) arguments[0]) : errno;
                    }
                    return forward(cursor, method, arguments);
                });
    }

    private static @Nullable Object forward(Object target, Method method,
            Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
