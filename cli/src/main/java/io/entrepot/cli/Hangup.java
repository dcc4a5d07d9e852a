package io.entrepot.cli;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * SIGHUP, while this is open. To a service it says: read your configuration again. To what runs in a terminal it also says that the
 * terminal is gone, and then it ends as it would have without this. Where Java was started with the signal ignored ({@code nohup})
 * it stays so.
 *
 * <p>By reflection: {@code sun.misc.Signal} is all that Java has for this, and the compiler refuses it.
 */
final class Hangup implements AutoCloseable {
    private final Method handle;
    private final Object signal;
    private final Object before;

    /** @param ended the terminal in which this was started is gone */
    static Hangup handled(Runnable again, Runnable ended) {
        boolean inTerminal = hasTerminal();
        return new Hangup(() -> {
            if (inTerminal && !hasTerminal()) {
                ended.run();
            } else {
                again.run();
            }
        });
    }

    private Hangup(Runnable action) {
        try {
            Class<?> signals = Class.forName("sun.misc.Signal");
            Class<?> handlers = Class.forName("sun.misc.SignalHandler");
            this.signal = signals.getConstructor(String.class).newInstance("HUP");
            this.handle = signals.getMethod("handle", signals, handlers);
            this.before = set(Proxy.newProxyInstance(Hangup.class.getClassLoader(), new Class<?>[]{handlers},
                    (self, method, args) -> called(action, self, method, args)));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("SIGHUP cannot be handled here", e);
        }
    }

    @SuppressWarnings("ReferenceEquality") // a handler is the same as itself
    private static @Nullable Object called(Runnable action, Object self, Method method, Object @Nullable [] args) {
        return switch (method.getName()) {
            case "handle" -> {
                action.run();
                yield null;
            }
            case "equals" -> args != null && self == args[0];
            case "hashCode" -> System.identityHashCode(self);
            default -> "SIGHUP";
        };
    }

    private Object set(Object handler) throws ReflectiveOperationException {
        try {
            return handle.invoke(null, signal, handler);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("SIGHUP cannot be handled here", e);
        }
    }

    private static boolean hasTerminal() {
        try (InputStream terminal = new FileInputStream("/dev/tty")) {
            return terminal.available() >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            set(before);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
