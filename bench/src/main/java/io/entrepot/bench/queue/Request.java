package io.entrepot.bench.queue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A caller's request and, later, its answer. The caller writes it before it goes to the {@link Inbox} and reads the answer
 * after {@link #await}; the writer has it in between. The answer is published by a volatile write.
 */
final class Request {

    final JournalEntry.Kind kind;
    final int tenant;
    final int count;
    final List<JournalEntry> claimed;
    @Nullable
    Request before;

    private final Thread caller = Thread.currentThread();
    private List<JournalEntry> answer = List.of();
    @Nullable
    private IOException failure;
    private volatile boolean answered;

    private Request(JournalEntry.Kind kind, int tenant, int count, List<JournalEntry> claimed) {
        this.kind = kind;
        this.tenant = tenant;
        this.count = count;
        this.claimed = claimed;
    }

    static Request claim(int tenant, int count) {
        return new Request(JournalEntry.Kind.CLAIM, tenant, count, List.of());
    }

    static Request finish(int tenant, List<JournalEntry> claimed) {
        return new Request(JournalEntry.Kind.FINISH, tenant, claimed.size(), claimed);
    }

    void hold(List<JournalEntry> newAnswer) {
        answer = newAnswer;
    }

    void answer(@Nullable IOException newFailure) {
        failure = newFailure;
        answered = true;
        LockSupport.unpark(caller);
    }

    List<JournalEntry> await() throws IOException {
        while (!answered) {
            LockSupport.park(this);
        }
        if (failure != null) {
            throw new IOException("the journal could not be written", failure);
        }
        return answer;
    }
}
