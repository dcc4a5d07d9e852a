package io.entrepot.pool.volume;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A store of objects, in memory, as one is met over a network. An object is there whole or not at all, and is never changed, only
 * replaced; there is no rename and no directory; a listing comes in pages, without what objects carry; a deletion does not say
 * whether there was anything. Calls fail as {@link #trouble} says, before they have an effect or after it. Safe for use by many
 * threads: one at a time.
 */
public final class Bucket {
    private final NavigableMap<String, Stored> objects = new java.util.TreeMap<>();
    private final AtomicLong versions = new AtomicLong();
    private final AtomicLong calls = new AtomicLong();
    private volatile UnaryOperator<Trouble> trouble = one -> one;

    /** @param version another one for each content that was ever put */
    public record Head(long size, String version, long changed, byte[] carried) {}

    public record Entry(String key, long size, long changed) {}

    /** @param next where the next page begins; nothing if this is the last */
    public record Page(List<Entry> entries, Optional<String> next) {}

    private record Stored(byte[] content, Head head) {}

    /** What a call is, and what becomes of it. */
    public record Trouble(String call, String key, Answer answer) {
        public Trouble answered(Answer value) {
            return new Trouble(call, key, value);
        }
    }

    /** How a call ends. */
    public enum Answer {
        OK,
        /** The connection broke before the call was made. */
        NOT_MADE,
        /** It broke after that. */
        LOST,
        /** No answer in time; it was not made. */
        TIMEOUT, DENIED
    }

    /** A call that did not succeed. */
    public static final class CallException extends IOException {
        private final Status status;

        /** As the store says it. */
        public enum Status {
            NO_SUCH_KEY, PRECONDITION_FAILED, DENIED, BROKEN_CONNECTION, TIMEOUT
        }

        CallException(Status status, String key) {
            super(status + ": " + key);
            this.status = status;
        }

        public Status status() {
            return status;
        }
    }

    private interface Effect<T> {
        T run() throws CallException;
    }

    private <T> T call(String what, String key, Effect<T> effect) throws CallException, InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        calls.incrementAndGet();
        Answer answer = trouble.apply(new Trouble(what, key, Answer.OK)).answer;
        switch (answer) {
            case NOT_MADE -> throw new CallException(CallException.Status.BROKEN_CONNECTION, key);
            case TIMEOUT -> throw new CallException(CallException.Status.TIMEOUT, key);
            case DENIED -> throw new CallException(CallException.Status.DENIED, key);
            case OK, LOST -> {
            }
        }
        T result;
        synchronized (this) {
            result = effect.run();
        }
        if (answer == Answer.LOST) {
            throw new CallException(CallException.Status.BROKEN_CONNECTION, key);
        }
        return result;
    }

    /** From now on. */
    public void trouble(UnaryOperator<Trouble> value) {
        trouble = value;
    }

    public void well() {
        trouble = one -> one;
    }

    public void away() {
        trouble = one -> one.answered(Answer.TIMEOUT);
    }

    /** Every so-manieth call ends like that. */
    public void every(int n, Answer answer) {
        AtomicLong count = new AtomicLong();
        trouble = one -> count.incrementAndGet() % n == 0 ? one.answered(answer) : one;
    }

    public long calls() {
        return calls.get();
    }

    public void put(String key, byte[] content, byte[] carried, boolean onlyIfNone)
            throws CallException, InterruptedException {
        byte[] own = content.clone();
        call("put", key, () -> {
            store(key, own, carried, onlyIfNone);
            return true;
        });
    }

    /** Puts together what is there, within the store. */
    public void compose(String key, List<String> parts, byte[] carried, boolean onlyIfNone)
            throws CallException, InterruptedException {
        call("compose", key, () -> {
            var content = new java.io.ByteArrayOutputStream();
            for (String part : parts) {
                content.writeBytes(there(part).content);
            }
            store(key, content.toByteArray(), carried, onlyIfNone);
            return true;
        });
    }

    private void store(String key, byte[] content, byte[] carried, boolean onlyIfNone) throws CallException {
        if (onlyIfNone && objects.containsKey(key)) {
            throw new CallException(CallException.Status.PRECONDITION_FAILED, key);
        }
        objects.put(key, new Stored(content, new Head(content.length, "v" + versions.incrementAndGet(),
                System.currentTimeMillis(), carried.clone())));
    }

    private Stored there(String key) throws CallException {
        Stored stored = objects.get(key);
        if (stored == null) {
            throw new CallException(CallException.Status.NO_SUCH_KEY, key);
        }
        return stored;
    }

    public Head head(String key) throws CallException, InterruptedException {
        return call("head", key, () -> there(key).head);
    }

    /** @param version or the call fails */
    public byte[] get(String key, long from, int length, Optional<String> version)
            throws CallException, InterruptedException {
        return call("get", key, () -> {
            Stored stored = there(key);
            if (version.filter(wanted -> !wanted.equals(stored.head.version)).isPresent()) {
                throw new CallException(CallException.Status.PRECONDITION_FAILED, key);
            }
            int begin = (int) Math.min(from, stored.content.length);
            return Arrays.copyOfRange(stored.content, begin, Math.min(begin + length, stored.content.length));
        });
    }

    public void delete(String key) throws CallException, InterruptedException {
        call("delete", key, () -> Optional.ofNullable(objects.remove(key)));
    }

    /** In the order of their keys. */
    public Page list(String prefix, Optional<String> from, int limit) throws CallException, InterruptedException {
        return call("list", prefix, () -> {
            List<Entry> entries = new ArrayList<>();
            for (Map.Entry<String, Stored> one : objects.tailMap(from.orElse(prefix), true).entrySet()) {
                if (!one.getKey().startsWith(prefix)) {
                    break;
                }
                if (entries.size() == limit) {
                    return new Page(entries, Optional.of(one.getKey()));
                }
                entries.add(new Entry(one.getKey(), one.getValue().head.size, one.getValue().head.changed));
            }
            return new Page(entries, Optional.empty());
        });
    }

    /** Past all calls: what is there now. */
    public synchronized List<String> keys(Predicate<String> which) {
        return objects.keySet().stream().filter(which).toList();
    }

    /** One bit is another, as storage that lies does it: nothing else says so. */
    public synchronized void damage(String key) {
        Stored stored = stored(key);
        stored.content[stored.content.length / 2] ^= 1;
    }

    public synchronized byte[] content(String key) {
        return stored(key).content.clone();
    }

    private Stored stored(String key) {
        return Objects.requireNonNull(objects.get(key), key);
    }

    public synchronized void remove(String key) {
        objects.remove(key);
    }

    public synchronized void add(String key, byte[] content) {
        objects.put(key, new Stored(content, new Head(content.length, "v" + versions.incrementAndGet(), 0,
                new byte[0])));
    }

    synchronized long used() {
        return objects.values().stream().mapToLong(one -> one.head.size).sum();
    }
}
