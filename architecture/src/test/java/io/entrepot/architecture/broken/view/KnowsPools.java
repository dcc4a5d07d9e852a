package io.entrepot.architecture.broken.view;

import io.entrepot.architecture.broken.pool.FileManager;

public final class KnowsPools {
    public final FileManager[] pools = {};
}
