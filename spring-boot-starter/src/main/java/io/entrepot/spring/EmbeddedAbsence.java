package io.entrepot.spring;

/** Why there is no pool in this process although one was asked for. */
final class EmbeddedAbsence {
    /** What a pool in this process needs. */
    static final int JAVA = 25;

    private EmbeddedAbsence() {}

    /** @param java the version that this process runs on */
    static EntrepotSetupException on(int java) {
        return java < JAVA
                ? new EntrepotSetupException(
                        "entrepot.embedded.directory is set, but a pool in this process needs Java " + JAVA
                                + ", and this is Java " + java + ".",
                        "Run the application on Java " + JAVA
                                + " or later, or set entrepot.server.url and entrepot.server.key to use a server.")
                : new EntrepotSetupException(
                        "entrepot.embedded.directory is set, but the pool is not on the class path.",
                        "Add the dependency io.entrepot:spring-boot-starter-embedded, or set entrepot.server.url and"
                                + " entrepot.server.key to use a server.");
    }
}
