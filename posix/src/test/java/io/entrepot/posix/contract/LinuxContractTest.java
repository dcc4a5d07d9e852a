package io.entrepot.posix.contract;

import io.entrepot.posix.FileCalls;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The contract on Linux's own calls. */
@EnabledOnOs(OS.LINUX)
class LinuxContractTest {

    @Nested
    class OfEntries extends EntriesContract {
        OfEntries() {
            super(FileCalls.system());
        }
    }

    @Nested
    class OfDirectories extends DirectoriesContract {
        OfDirectories() {
            super(FileCalls.system());
        }
    }

    @Nested
    class OfListing extends ListingContract {
        OfListing() {
            super(FileCalls.system());
        }
    }

    @Nested
    class OfAttributes extends AttributesContract {
        OfAttributes() {
            super(FileCalls.system());
        }
    }
}
