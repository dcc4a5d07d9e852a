package io.entrepot.spring;

import io.entrepot.pool.FilePool;
import io.entrepot.pool.process.Processing;
import io.entrepot.pool.process.ProcessingStatus;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;

/**
 * All methods with {@link FileHandler}, at work between the start of the application and its stop. They start last, when all else
 * that the application has can be used, and stop first: what is being handled is finished, or given back when patience is
 * over, before anything that handlers may use is closed. Can be stopped and started again. Safe for use by many threads.
 */
public final class FileHandlers implements SmartLifecycle, SmartInitializingSingleton {
    /** Around each call of a method: a timer and, where there is tracing, a span. */
    static final String OBSERVED = "entrepot.handle";

    private final HandlerScan scan;
    private final ObjectProvider<FilePool> pool;
    private final ObjectProvider<ObservationRegistry> observations;
    private final boolean autoStart;
    private List<HandlerMethod> methods = List.of();
    /** By name; empty while stopped. Replaced as a whole. */
    private volatile Map<String, Processing> processings = Map.of();
    private volatile boolean running;

    FileHandlers(HandlerScan scan, ObjectProvider<FilePool> pool, ObjectProvider<ObservationRegistry> observations,
            boolean autoStart) {
        this.scan = scan;
        this.pool = pool;
        this.observations = observations;
        this.autoStart = autoStart;
    }

    /** Mistakes are found before anything is started. */
    @Override
    public synchronized void afterSingletonsInstantiated() {
        methods = scan.find();
        if (!methods.isEmpty() && pool.stream().findAny().isEmpty()) {
            throw new EntrepotSetupException(
                    "@FileHandler on " + methods.get(0).name() + " wants files, and there is no"
                            + " pool.",
                    "Set entrepot.server.url and entrepot.server.key, or entrepot.embedded.directory, or define a bean"
                            + " of type io.entrepot.pool.FilePool.");
        }
    }

    @Override
    public synchronized void start() {
        if (running) {
            return;
        }
        Map<String, Processing> started = new LinkedHashMap<>();
        running = true;
        try {
            for (HandlerMethod method : methods) {
                started.put(unique(method.name(), started),
                        pool.getObject().process(method.options(), observed(method)));
            }
        } finally {
            processings = Map.copyOf(started); // also if one could not be started: they are to be stopped
        }
    }

    /** Methods of one name, which differ in what they take. */
    private static String unique(String name, Map<String, ?> taken) {
        String unique = name;
        for (int i = 2; taken.containsKey(unique); i++) {
            unique = name + "#" + i;
        }
        return unique;
    }

    private io.entrepot.pool.process.FileHandler observed(HandlerMethod method) {
        ObservationRegistry registry = observations.getIfAvailable(() -> ObservationRegistry.NOOP);
        return task -> Observation.createNotStarted(OBSERVED, registry).lowCardinalityKeyValue("handler", method.name())
                .lowCardinalityKeyValue("tenant", task.file().tenant().name())
                .highCardinalityKeyValue("file", task.file().key().toString())
                .observeChecked(() -> method.handle(task));
    }

    /** Returns when no method runs any more, or patience with it is over. */
    @Override
    public synchronized void stop() {
        Map<String, Processing> ended = processings;
        ended.values().forEach(Processing::stop); // all of them, before the first is waited for
        ended.values().forEach(Processing::close);
        processings = Map.of();
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public boolean isAutoStartup() {
        return autoStart;
    }

    /** What each does, by the name of the bean and the method; empty while they are stopped. */
    public Map<String, ProcessingStatus> status() {
        Map<String, ProcessingStatus> all = new TreeMap<>();
        processings.forEach((name, processing) -> all.put(name, processing.status()));
        return all;
    }
}
