package io.entrepot.chaos.scan;

import io.entrepot.lab.ChildJvm;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What children say when they have done what they were told. For one thread. */
final class Answers {
    private static final long PATIENCE_SECONDS = 120;

    private final List<ChildJvm> children;
    private final BlockingQueue<Long> said = new LinkedBlockingQueue<>();

    Answers(List<ChildJvm> children) {
        this.children = children;
        children.forEach(child -> child.listen(line -> said.add(Long.parseLong(line))));
    }

    /** Waits until each has said a number; returns their sum. */
    long await() throws IOException, InterruptedException {
        long sum = 0;
        for (ChildJvm child : children) {
            @Nullable
            Long one = said.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (one == null) {
                throw new IOException("a child does not answer" + child.lastWords());
            }
            sum += one;
        }
        return sum;
    }
}
