package io.entrepot.server.access;

import java.util.Set;

/** What a route needs of whoever calls it. */
public enum Access {
    /** Nothing: no key. */
    PUBLIC,
    /** Any valid key. */
    ANY_KEY,
    /** Something about at least one tenant; what is answered is what the key may see. */
    SOME_TENANT(Scope.Kind.READ, Scope.Kind.WRITE, Scope.Kind.PROCESS),
    /** To read files of the tenant in the path. */
    READ(Scope.Kind.READ, Scope.Kind.PROCESS),
    /** To store files of the tenant in the path. */
    WRITE(Scope.Kind.WRITE),
    /** To process files of the tenant in the path. */
    PROCESS(Scope.Kind.PROCESS),
    METRICS(Scope.Kind.METRICS), ADMIN;

    @SuppressWarnings("ImmutableEnumChecker") // a copy
    private final Set<Scope.Kind> enough;

    Access(Scope.Kind... enough) {
        this.enough = Set.of(enough);
    }

    /** Each of these is enough; an admin's key always is. */
    public Set<Scope.Kind> enough() {
        return enough;
    }

    /** Whether it is about the tenant in the path. */
    public boolean isOfTenant() {
        return this == READ || this == WRITE || this == PROCESS;
    }
}
