package io.entrepot.posix.contract;

import io.entrepot.posix.FileCalls;
import org.junit.jupiter.api.Nested;

/** The contract on plain {@code java.nio}. */

class NioContractTest {

    @Nested
    class OfEntries extends EntriesContract {
        OfEntries() {
            super(FileCalls.nio());
        }
    }

    @Nested
    class OfDirectories extends DirectoriesContract {
        OfDirectories() {
            super(FileCalls.nio());
        }
    }

    @Nested
    class OfListing extends ListingContract {
        OfListing() {
            super(FileCalls.nio());
        }
    }

    @Nested
    class OfAttributes extends AttributesContract {
        OfAttributes() {
            super(FileCalls.nio());
        }
    }
}
