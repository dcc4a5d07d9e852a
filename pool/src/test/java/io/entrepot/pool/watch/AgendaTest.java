package io.entrepot.pool.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class AgendaTest {
    private static final Duration SOON = Duration.ofMillis(100);
    private static final Duration LATER = Duration.ofHours(1);

    private final List<Duration> times = new CopyOnWriteArrayList<>();
    private final Agenda agenda = new Agenda(times::add);

    @Test
    void wake_whenOneIsWanted_changesNothing() {
        agenda.wake(SOON);
        agenda.wake(LATER);
        assertThat(times).containsExactly(SOON);
        agenda.hurry(LATER);
        assertThat(times).containsExactly(SOON, LATER);
    }

    /** What it was woken for was seen by that look, so the plan knows of nothing. */
    @Test
    void wake_afterALookThatAnotherOneCameInto_isHeard() {
        agenda.begin();
        agenda.wake(SOON);
        agenda.plan(() -> LATER);
        agenda.wake(SOON);
        assertThat(times).containsExactly(SOON, LATER, SOON);
    }

    @Test
    void wake_whileAPlanIsMadeThatDoesNotKnowOfIt_comesAfterThePlan() throws InterruptedException {
        Thread hearer = Thread.ofPlatform().unstarted(() -> agenda.wake(SOON));
        agenda.plan(() -> {
            hearer.start();
            await().until(() -> hearer.getState() == Thread.State.BLOCKED || !hearer.isAlive());
            return LATER;
        });
        hearer.join();
        assertThat(times).containsExactly(LATER, SOON);
    }
}
