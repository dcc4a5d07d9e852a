package io.entrepot.pool;

import java.util.List;

/** What counting has found; {@code corrections} says in words what was wrong, and is empty if all was right. */
public record Recount(TenantId tenant, long files, long bytes, List<String> corrections) {

    public Recount {
        corrections = List.copyOf(corrections);
    }
}
