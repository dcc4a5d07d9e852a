package io.entrepot.lab;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Capability;
import io.entrepot.posix.Cursor;
import io.entrepot.posix.Directory;
import io.entrepot.posix.DirectoryReader;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Notification;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.StatField;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The real calls, each of those on directories with a hook: which may fail it, say that it is not to be made, or do something
 * after it. Safe for use by many threads if the hook is.
 */
public final class HookedCalls implements FileCalls {
    private final FileCalls real = FileCalls.system();
    private final Hook hook;

    /** Asked before each call on a directory. */
    public interface Hook {
        /** @return whether the call is made; if not it succeeds without having done anything */
        boolean before(String call, BytePath directory) throws PosixException;

        /** The call was made and has succeeded. */
        default void after(String call, BytePath directory) {}
    }

    public HookedCalls(Hook hook) {
        this.hook = hook;
    }

    @Override
    public Set<Capability> capabilities() {
        return real.capabilities();
    }

    @Override
    public Directory openDirectory(BytePath path) throws PosixException {
        hook.before("open", path);
        return wrap(real.openDirectory(path));
    }

    @Override
    public DirectoryReader newReader(Set<StatField> fields) {
        DirectoryReader reader = real.newReader(fields);
        return new DirectoryReader() {
            @Override
            public Cursor list(Directory directory) throws PosixException {
                return reader.list((Directory) unwrap(directory));
            }

            @Override
            public void close() {
                reader.close();
            }
        };
    }

    /** None: the system's knows only directories that are not hooked. */
    @Override
    public Optional<Notification> notification() {
        return Optional.empty();
    }

    @Override
    public io.entrepot.posix.Mount mountOf(BytePath path) throws IOException {
        return real.mountOf(path);
    }

    private Directory wrap(Directory directory) {
        return (Directory) Proxy.newProxyInstance(Directory.class.getClassLoader(), new Class<?>[]{Directory.class},
                new Hooked(directory));
    }

    private static Object unwrap(Object argument) {
        return argument instanceof Directory && Proxy.isProxyClass(argument.getClass())
                && Proxy.getInvocationHandler(argument) instanceof Hooked hooked ? hooked.directory : argument;
    }

    private final class Hooked implements InvocationHandler {
        private final Directory directory;

        Hooked(Directory directory) {
            this.directory = directory;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            if (!hook.before(method.getName(), directory.path())) {
                return null;
            }
            Object[] plain = arguments == null ? new Object[0] : arguments.clone();
            for (int i = 0; i < plain.length; i++) {
                plain[i] = unwrap(plain[i]);
            }
            try {
                Object result = method.invoke(directory, plain);
                hook.after(method.getName(), directory.path());
                return result instanceof Directory opened ? wrap(opened) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
            }
        }
    }
}
