package io.entrepot.pool.volume;

import io.entrepot.lab.FaultyCalls;
import io.entrepot.posix.Capability;
import io.entrepot.posix.FileCalls;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/** The contract on directories, with the system's own calls and with those of plain Java. */
class LocalContractTest {

    abstract static class OnCalls implements BlobContract, IncomingContract, WalkContract {
        private final FileCalls calls;
        @SuppressWarnings("NullAway.Init") // before each test
        private LocalVolume volume;

        OnCalls(FileCalls calls) {
            this.calls = calls;
        }

        @BeforeEach
        void open() throws Exception {
            volume = new LocalVolume(calls);
        }

        @AfterEach
        void close() throws Exception {
            volume.close();
        }

        @Override
        public Backend backend() {
            return volume.backend;
        }
    }

    @Nested
    class OnSystem extends OnCalls {
        OnSystem() {
            super(FileCalls.system());
        }
    }

    /** As on file systems that keep no permissions. */
    @Nested
    class OnSystemWithoutMarks extends OnCalls {
        OnSystemWithoutMarks() {
            super(new FaultyCalls().lack(Capability.MARKED_FILES));
        }
    }

    @Nested
    class OnNio extends OnCalls {
        OnNio() {
            super(FileCalls.nio());
        }
    }
}
