package io.entrepot.bench.queue.peers;

import io.entrepot.bench.queue.PairLoad;
import io.entrepot.bench.queue.PairQueue;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** One worker's own connection to a server; what it claims are ids. Use from one thread at a time. */
interface Line extends PairQueue<Long>, AutoCloseable {

    @Override
    void close() throws IOException, SQLException;

    /** How a line is opened. */
    @FunctionalInterface
    interface Opening {
        Line open() throws Exception;
    }

    /** Drives the load with a line for each worker. Opening them is not measured. */
    static double measure(PairLoad load, Opening opening) throws Exception {
        List<Line> lines = new ArrayList<>();
        try {
            while (lines.size() < load.workers()) {
                lines.add(opening.open());
            }
            return load.run(lines);
        } finally {
            for (Line line : lines) {
                line.close();
            }
        }
    }
}
