package io.entrepot.store;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Which PostgreSQL, and as whom. TLS and everything else that the driver knows is said in the URL
 * ({@code jdbc:postgresql://host/database?sslmode=verify-full}), but for the password: addresses are logged, passwords
 * never are.
 *
 * @param url as the driver takes it, without user and password
 * @param schema the schema in the database that the tables are in; made if there is none
 * @param writers how many groups of claims and of finishes may be on their way at once, each on a connection of its own.
 * More of them overlap the database's syncs; too many make small groups. With 1 there is one way for everything
 * @param patience how long a database that cannot be reached is waited for, before a call fails
 */
public record PostgresConfig(String url, String user, String password, String schema, int writers,
        Duration patience) {
    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,53}");

    public PostgresConfig {
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException("a URL of PostgreSQL starts with jdbc:postgresql:");
        }
        if (url.toLowerCase(Locale.ROOT).contains("password")) {
            throw new IllegalArgumentException("the password does not belong into the URL, which is logged");
        }
        if (writers < 1) {
            throw new IllegalArgumentException("somebody must write: " + writers + " writers");
        }
        if (!NAME.matcher(schema).matches()) {
            throw new IllegalArgumentException(
                    "\"" + schema + "\" is not a schema's name: at most 54 of a-z 0-9 _, not starting"
                            + " with a digit");
        }
    }

    public static PostgresConfig of(String url, String user, String password) {
        return new PostgresConfig(url, user, password, "entrepot", 2, Duration.ofSeconds(30));
    }

    public PostgresConfig withSchema(String value) {
        return new PostgresConfig(url, user, password, value, writers, patience);
    }

    public PostgresConfig withPatience(Duration value) {
        return new PostgresConfig(url, user, password, schema, writers, value);
    }

    public PostgresConfig withWriters(int value) {
        return new PostgresConfig(url, user, password, schema, value, patience);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return url + " as " + user + ", schema " + schema;
    }
}
