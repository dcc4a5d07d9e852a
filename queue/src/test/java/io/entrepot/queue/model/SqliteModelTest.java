package io.entrepot.queue.model;

import io.entrepot.queue.contract.QueuesFixture;
import io.entrepot.queue.contract.SqliteFixture;
import java.nio.file.Path;

class SqliteModelTest extends ModelProperties {

    @Override
    QueuesFixture fixture(Path directory) {
        return new SqliteFixture(directory);
    }
}
