package io.entrepot.spring;

import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.process.FileTask;
import io.entrepot.pool.process.ProcessOptions;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A method of a bean as a handler of files. Safe for use by many threads, if the bean is.
 *
 * @param name of the bean and the method
 */
record HandlerMethod(String name, Object bean, Method method, ProcessOptions options)
        implements
            io.entrepot.pool.process.FileHandler {
    private static final Map<Class<?>, Given> KINDS = Map.of(FileTask.class, Given.TASK, FileInfo.class, Given.INFO,
            TenantId.class, Given.TENANT, FileKey.class, Given.KEY, FileContent.class, Given.CONTENT,
            InputStream.class, Given.STREAM, byte[].class, Given.BYTES);

    /** What a parameter is given. */
    private enum Given {
        TASK, INFO, TENANT, KEY, CONTENT, STREAM, BYTES;

        boolean isContent() {
            return compareTo(CONTENT) >= 0;
        }
    }

    /** @throws EntrepotSetupException if files cannot be handed to it */
    HandlerMethod {
        Class<?>[] types = method.getParameterTypes();
        boolean known = Stream.of(types).allMatch(KINDS::containsKey);
        if (types.length == 0 || !known || kinds(method).filter(Given::isContent).count() > 1
                || method.getReturnType() != void.class) {
            throw new EntrepotSetupException("@FileHandler on " + name + " cannot be handed files: "
                    + method.toGenericString(),
                    "Let it return void and take at least one of FileTask, FileInfo, TenantId, FileKey, and at most one"
                            + " of FileContent, InputStream, byte[].");
        }
        method.setAccessible(true);
    }

    private static Stream<Given> kinds(Method method) {
        return Stream.of(method.getParameterTypes()).flatMap(type -> Stream.ofNullable(KINDS.get(type)));
    }

    @Override
    public void handle(FileTask task) throws Exception {
        List<Given> kinds = kinds(method).toList();
        Given content = kinds.stream().filter(Given::isContent).findFirst().orElse(null);
        if (content == null) {
            call(task, kinds, null);
            return;
        }
        try (FileContent open = task.open()) {
            if (content == Given.CONTENT) {
                call(task, kinds, open);
                return;
            }
            try (InputStream stream = open.verifiedStream()) {
                call(task, kinds, content == Given.STREAM ? stream : stream.readAllBytes());
            }
        }
    }

    private void call(FileTask task, List<Given> kinds, @Nullable Object content) throws Exception {
        Object[] arguments = new Object[kinds.size()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = switch (kinds.get(i)) {
                case TASK -> task;
                case INFO -> task.file();
                case TENANT -> task.file().tenant();
                case KEY -> task.file().key();
                case CONTENT, STREAM, BYTES -> content;
            };
        }
        try {
            method.invoke(bean, arguments);
        } catch (InvocationTargetException e) {
            Throwable thrown = e.getCause();
            if (thrown instanceof Error error) {
                throw error;
            }
            throw thrown instanceof Exception exception ? exception : e;
        }
    }
}
