package io.entrepot.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.entrepot.lease.Epoch;
import io.entrepot.lease.Fence;
import io.entrepot.store.Owner;
import io.entrepot.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the values accept, and what they say when they do not. */
class ValuesTest {
    private static final QueueName Q = QueueName.of("acme", "files");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static void assertRefused(String message, ThrowingCallable... wrong) {
        for (ThrowingCallable one : wrong) {
            assertThatIllegalArgumentException().isThrownBy(one).withMessageContaining(message);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "0", "files", "a.b_c-d", "a23456789012345678901234567890123456789012345678901234567890123"})
    void lane_whenAllowed_isTaken(String lane) {
        QueueName name = QueueName.of("acme", lane);
        assertThat(QueueName.parse(name.toString())).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "-a", ".a", "_a", "a/b", "a b", "ä", "a\n", "../x",
            "a234567890123456789012345678901234567890123456789012345678901234"})
    void lane_whenNotAllowed_isRefused(String lane) {
        assertRefused("is not a valid lane: 1 to 63 of a-z 0-9 . _ -", () -> QueueName.of("acme", lane));
    }

    @Test
    void parse_whenGarbage_saysHowToWriteIt() {
        assertRefused("write it as owner/lane", () -> QueueName.parse("acme"));
        assertRefused("is not a valid owner", () -> QueueName.parse("/files"));
        for (String wrong : List.of("", "acme", "acme/", "/1", "acme/x", "acme/0", "acme/-1", "acme/1/2",
                "acme/99999999999999999999")) {
            assertRefused("\"" + wrong + "\" is not an item: write it as owner/number", () -> ItemId.parse(wrong));
        }
        assertRefused("write it as owner/number@epoch-nonce", () -> ItemLease.parse("acme/1"));
        assertRefused("is not an item", () -> ItemLease.parse("acme@1-0000000000000000"));
        assertRefused("Not a fence", () -> ItemLease.parse("acme/1@1"));
    }

    @Test
    void parse_whenWrittenByToString_isTheSame() {
        ItemLease lease = new ItemLease(new ItemId(new Owner("acme"), Long.MAX_VALUE),
                new Fence(new Epoch(Long.MAX_VALUE), -1));
        assertThat(ItemLease.parse(lease.toString())).isEqualTo(lease);
        assertThat(ItemId.parse(lease.item().toString())).isEqualTo(lease.item());
        assertThat(lease).hasToString("acme/9223372036854775807@9223372036854775807-ffffffffffffffff");
    }

    @Test
    void itemId_whenNotPositive_isRefused() {
        assertRefused("item numbers start at 1", () -> new ItemId(new Owner("a"), 0),
                () -> new ItemId(new Owner("a"), Long.MIN_VALUE));
    }

    @Test
    void newItem_whenBeyondTheLimits_isRefused() {
        NewItem item = NewItem.of(Q, new byte[0]);
        assertRefused("a payload has at most 1048576 bytes, this one 1048577",
                () -> NewItem.of(Q, new byte[NewItem.LARGEST_PAYLOAD + 1]));
        assertRefused("a priority is from -1000 to 1000", () -> item.withPriority(1001), () -> item.withPriority(-1001),
                () -> item.withPriority(Integer.MIN_VALUE), () -> item.withPriority(Integer.MAX_VALUE));
        assertRefused("an idempotency key has 1 to 200 characters without control characters", () -> item.withKey(""),
                () -> item.withKey(" "), () -> item.withKey("x".repeat(201)), () -> item.withKey("a\0b"),
                () -> item.withKey("a\nb"), () -> item.withKey("lone \ud83d surrogate"));
        assertRefused("available", () -> item.withAvailableAt(Instant.MAX), () -> item.withAvailableAt(Instant.MIN),
                () -> item.withAvailableAt(Instant.parse("+10000-01-01T00:00:00Z")));
        assertRefused("item numbers start at 1", () -> item.withNumber(0), () -> item.withNumber(-1));
        assertThat(item.withPriority(-1000).withKey("🐝".repeat(100)).withAvailableAt(Instant.EPOCH).key()).isPresent();
    }

    @Test
    void claimRequest_whenBeyondTheLimits_isRefused() {
        ClaimRequest request = ClaimRequest.of(Q, "w", MINUTE);
        assertRefused("a claim names 1 to 1000 queues", () -> new ClaimRequest(List.of(), "w", 1, MINUTE, MINUTE),
                () -> new ClaimRequest(Collections.nCopies(1001, Q), "w", 1, MINUTE, MINUTE));
        assertRefused("a claim is for 1 to 1000 items", () -> request.withMax(0), () -> request.withMax(1001),
                () -> request.withMax(-1));
        assertRefused("a holder has a name of 1 to 200 characters without control characters",
                () -> ClaimRequest.of(Q, "", MINUTE), () -> ClaimRequest.of(Q, " ", MINUTE),
                () -> ClaimRequest.of(Q, "x".repeat(201), MINUTE), () -> ClaimRequest.of(Q, "a\tb", MINUTE),
                () -> ClaimRequest.of(Q, "a\nb", MINUTE), () -> ClaimRequest.of(Q, "a\u0085b", MINUTE),
                () -> ClaimRequest.of(Q, "lone \udc1d surrogate", MINUTE));
        assertRefused("a term is from 1 ms to 30 days", () -> ClaimRequest.of(Q, "w", Duration.ZERO),
                () -> ClaimRequest.of(Q, "w", Duration.ofNanos(999_999)),
                () -> ClaimRequest.of(Q, "w", Duration.ofDays(30).plusNanos(1)),
                () -> ClaimRequest.of(Q, "w", Duration.ofSeconds(Long.MAX_VALUE)),
                () -> ClaimRequest.of(Q, "w", Duration.ofSeconds(Long.MIN_VALUE)));
        assertRefused("waiting is not negative", () -> request.waiting(Duration.ofNanos(-1)));
        assertThat(request.waiting(Duration.ofSeconds(Long.MAX_VALUE)).withMax(1000).max()).isEqualTo(1000);
    }

    @Test
    void listRequest_whenBeyondTheLimits_isRefused() {
        assertRefused("a page has 1 to 1000 items", () -> ListRequest.of(Q).withLimit(0),
                () -> ListRequest.of(Q).withLimit(1001));
        assertThat(ListRequest.of(Q).in(ItemState.HELD).heldBy("w").after("c").withLimit(7))
                .isEqualTo(new ListRequest(Q, Optional.of(ItemState.HELD), Optional.of("w"), "c", 7));
    }

    @Test
    void config_whenSenseless_isRefused() {
        QueueConfig config = QueueConfig.DEFAULT;
        assertRefused("the priority step is from 0 to 30 days", () -> config.withPriorityStep(Duration.ofNanos(-1)),
                () -> config.withPriorityStep(Duration.ofDays(30).plusNanos(1)),
                () -> config.withPriorityStep(Duration.ofSeconds(Long.MAX_VALUE)));
        assertRefused("at least one delivery", () -> config.withMaxDeliveries(0), () -> config.withMaxDeliveries(-1));
        assertRefused("memory is from 1 to 30 days", () -> config.withMemory(Duration.ofDays(1).minusNanos(1)),
                () -> config.withMemory(Duration.ofDays(30).plusNanos(1)));
    }

    @Test
    void config_whenDefault_isThatOfTheDesign() {
        assertThat(QueueConfig.DEFAULT).isEqualTo(new QueueConfig(Duration.ofMinutes(1), 5, Duration.ofDays(7),
                Duration.ofSeconds(10), true));
        assertThat(QueueConfig.DEFAULT.withBackground(false).background()).isFalse();
    }

    @Test
    void outcome_whenByAnotherThanTheHolder_isNotAnsweredAgain() {
        assertThat(Stream.of(Outcome.Kind.values()).filter(kind -> !kind.byHolder())).containsExactly(
                Outcome.Kind.EXPIRED, Outcome.Kind.TAKEN_BACK);
    }

    @Test
    void open_whenTheTablesAreNotThere_saysWhatIsMissing(@TempDir Path path) {
        StoreConfig config = StoreConfig.of().withSync(false);
        try (io.entrepot.store.DataDirectory directory = io.entrepot.store.DataDirectory.open(path.resolve("d"),
                config)) {
            assertRefused("Queues.SCHEMA", () -> Queues.open(directory, config, QueueConfig.DEFAULT));
        }
    }
}
