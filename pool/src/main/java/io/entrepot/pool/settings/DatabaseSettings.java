package io.entrepot.pool.settings;

import io.entrepot.config.Kind;
import io.entrepot.config.Secret;
import io.entrepot.config.Section;
import io.entrepot.config.Setting;
import io.entrepot.config.Values;
import io.entrepot.pool.Database;
import io.entrepot.store.PostgresConfig;
import io.entrepot.store.StoreConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code [database]}. */
final class DatabaseSettings {

    /** Which. */
    enum Which {
        EMBEDDED, POSTGRES
    }

    private static final Setting<Which> WHICH = Setting.of("kind", Kind.choice(Which.class),
            "In files of the pool's own directory, for one process at a time; or in a PostgreSQL, for any number.")
            .or(Which.EMBEDDED);
    private static final Setting<Long> HEADROOM = Setting.of("headroom", Kind.bytes(0, 1L << 60),
            "With fewer free bytes on the disk of an embedded database nothing is added; what frees or finishes"
                    + " goes on.")
            .or(StoreConfig.DEFAULT_HEADROOM)
            .tooSmall("a disk that is full cannot be emptied.").tooLarge("space is not used.");
    private static final Setting<Optional<String>> URL = Setting.of("url", Kind.text(),
            "Which PostgreSQL, as `jdbc:postgresql://host/database?sslmode=verify-full`; without user and password.")
            .optional();
    private static final Setting<Optional<String>> USER = Setting.of("user", Kind.text(),
            "As whom, at a PostgreSQL.").optional();
    private static final Setting<Optional<Secret>> PASSWORD = Setting.of("password", Kind.secret(),
            "The password at a PostgreSQL, if it wants one.").optional();
    private static final Setting<String> SCHEMA = Setting.of("schema", Kind.text(),
            "The schema that the tables are in; made if there is none.").or("entrepot");
    private static final Setting<Integer> WRITERS = Setting.of("writers", Kind.whole(1, 64),
            "How many groups of claims and of completions may be on their way to a PostgreSQL at once.").or(2)
            .tooSmall("the database's syncs do not overlap.").tooLarge("groups are small.");
    private static final Setting<Duration> PATIENCE = Setting.of("patience",
            Kind.duration(Duration.ofSeconds(1), Duration.ofHours(1)),
            "How long a PostgreSQL that cannot be reached is waited for, before a call fails.")
            .or(Duration.ofSeconds(30))
            .tooSmall("a failover fails calls.").tooLarge("callers hang.");

    static final Section<Change> TABLE = new Section<>("database", "Where the pool keeps its books.",
            List.of(WHICH, HEADROOM, URL, USER, PASSWORD, SCHEMA, WRITERS, PATIENCE), DatabaseSettings::read);

    private DatabaseSettings() {}

    private static Change read(Values values) {
        Database database = switch (values.get(WHICH)) {
            case EMBEDDED -> embedded(values);
            case POSTGRES -> postgres(values);
        };
        return config -> config.withDatabase(database).withPlatform(config.platform()
                .withStore(config.platform().store().withHeadroom(values.get(HEADROOM))));
    }

    /** A URL that would be ignored is one that somebody believes in. */
    private static Database embedded(Values values) {
        if (values.get(URL).isPresent() || values.get(USER).isPresent() || values.get(PASSWORD).isPresent()) {
            throw new IllegalArgumentException("url, user and password are for kind = \"postgres\"");
        }
        return new Database.Embedded();
    }

    private static Database postgres(Values values) {
        String url = values.get(URL).orElseThrow(() -> new IllegalArgumentException("a PostgreSQL needs a url"));
        String user = values.get(USER).orElseThrow(() -> new IllegalArgumentException("a PostgreSQL needs a user"));
        return new Database.OnPostgres(new PostgresConfig(url, user, values.get(PASSWORD).map(Secret::text).orElse(""),
                values.get(SCHEMA), values.get(WRITERS), values.get(PATIENCE)));
    }
}
