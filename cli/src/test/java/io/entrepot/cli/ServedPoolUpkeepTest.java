package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.NewFile;
import io.entrepot.pool.TenantId;
import io.entrepot.server.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The same through a server. */
class ServedPoolUpkeepTest extends PoolUpkeepTest {
    private Server server;

    @BeforeEach
    void serve() throws Exception {
        server = ServedData.serve(data);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Override
    String cleanedSoFar() {
        return "CLEANED SINCE THE POOL WAS OPENED.*\nfiles that had failed for good +1\n";
    }

    @Override
    String beginUpload(NewFile file) {
        return server.pool().uploads().begin(TenantId.DEFAULT, file).toString();
    }

    /** What is done while nobody has the database says so, and what to do. */
    @Test
    @Override
    void database_whenItIsLost_isRestoredOrRecovered() throws Exception {
        Path backup = directory.resolve("backup");
        assertThat(Ran.pool(data, "backup", backup.toString()).out()).isEqualTo("written  " + backup + "\n");
        assertThat(backup).isNotEmptyDirectory();
        assertThat(Ran.pool(data, "backup", backup.toString()).exit()).isEqualTo(ExitCode.REFUSED);
        String[][] alone = {{"restore", backup.toString()}, {"recover"}, {"run", "--for", "1ms"}};
        for (String[] command : alone) {
            Ran ran = Ran.pool(data, command);
            assertThat(ran.exit()).as(command[0]).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(ran.err()).as(command[0]).startsWith("entrepot: local-only: a server has " + data)
                    .hasLineCount(1);
        }
        for (String command : new String[]{"queue status default", "store check"}) {
            Ran ran = Ran.command((command + " --data " + data).split(" "));
            assertThat(ran.exit()).as(command).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(ran.err()).as(command).startsWith("entrepot: local-only: ").hasLineCount(1);
        }
        server.close();
        assertThat(Ran.pool(data, "recover").exit()).isZero();
        assertThat(Ran.pool(directory.resolve("again"), "restore", backup.toString()).exit()).isZero();
    }

    @Override
    void database_whenItIsDamaged_saysWhatToDo() {
        // is about a database that nobody has open
    }

    @Override
    void configFile_saysWhereEverythingIs() {
        // is about a configuration that no server has
    }

    @Override
    void configFile_whenItHasMistakes_tellsAllWithLines() {
        // is about a configuration that no server has
    }

    /** A drain belongs to the pool: who no longer waits for it has not ended it. */
    @Test
    void drain_whenNobodyWaitsAnyLonger_goesOn() throws Exception {
        Ran.pool(data, "volumes", "mount", "second", directory.resolve("second").toString());
        Ran.pool(data, "volumes", "read-only", "second");
        String upload = beginUpload(NewFile.unnamed()); // on main, which it keeps from being empty
        Ran.pool(data, "volumes", "activate", "second");
        String file = Files.writeString(directory.resolve("two"), "two").toString();
        Ran.pool(data, "put", file);
        assertThat(Ran.pool(data, "volumes", "drain", "main", "--timeout", "100ms").exit())
                .isEqualTo(ExitCode.UNAVAILABLE);
        Ran.pool(data, "uploads", "cancel", upload);
        Ran drain = Ran.pool(data, "volumes", "drain", "main");
        assertThat(drain.exit()).as(drain.err()).isZero();
    }
}
