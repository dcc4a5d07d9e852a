package io.entrepot.server.access;

import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Type;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A key as it is kept: without its secret.
 *
 * @param lastUsed as last written down, which is done now and then
 */
public record Key(String id, String name, Set<Scope> scopes, Instant created, Optional<Instant> expires,
        Optional<Instant> lastUsed, Optional<Instant> revoked) {
    public static final Answer<Key> ANSWER = Answer.<Key>named("Key")
            .with("id", Type.TEXT, "The middle part of the key.", Key::id)
            .with("name", Type.TEXT, "For people.", Key::name)
            .with("scopes", Type.TEXTS, "What it may do.", key -> key.scopes.stream().map(Scope::toString).sorted()
                    .toList())
            .with("created", Type.TIME, "When it was made.", Key::created)
            .maybe("expires", Type.TIME, "When it ends by itself.", Key::expires)
            .maybe("lastUsed", Type.TIME, "When it was last used, give or take a minute.", Key::lastUsed)
            .maybe("revoked", Type.TIME, "Since when it is refused.", key -> key.revoked.filter(_ -> !key.isHeld()))
            .maybe("held", Type.TRUTH, "It came back with a backup, and is refused until it is enabled.",
                    key -> key.isHeld() ? Optional.of(true) : Optional.empty());

    /** Stands in the place of when it was revoked, for one that came back with a backup. */
    static final Instant HELD = Instant.EPOCH;

    public Key {
        scopes = Set.copyOf(scopes);
    }

    boolean isGood(Instant now) {
        return revoked.isEmpty() && expires.filter(end -> !now.isBefore(end)).isEmpty();
    }

    /** It may have been revoked after the backup was made that it came back with. */
    public boolean isHeld() {
        return revoked.filter(HELD::equals).isPresent();
    }

    Key used(Optional<Instant> at) {
        return new Key(id, name, scopes, created, expires, at.or(() -> lastUsed), revoked);
    }

    Identity identity() {
        return new Identity(id, name, scopes);
    }
}
