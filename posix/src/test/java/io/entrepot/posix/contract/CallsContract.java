package io.entrepot.posix.contract;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.entrepot.posix.Directory;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the tests of the contract share: the calls in question, and a directory to use them in. */
abstract class CallsContract {
    static final Name A = Name.of("a");
    static final Name B = Name.of("b");
    static final Name MISSING = Name.of("missing");
    static final Name RAW = Name.of(new byte[]{'r', (byte) 0xff, (byte) 0xfe, '\n', ' '});

    final FileCalls calls;
    Workplace workplace;
    Directory directory;

    CallsContract(FileCalls calls) {
        this.calls = calls;
    }

    Workplace place() throws IOException {
        return Workplace.inMemory();
    }

    @BeforeEach
    void open() throws IOException {
        workplace = place();
        directory = calls.openDirectory(workplace.bytes());
    }

    @AfterEach
    void close() throws IOException {
        directory.close();
        workplace.close();
    }

    Path path(String name) {
        return workplace.path().resolve(name);
    }

    void write(Name name, String text) throws IOException {
        try (FileChannel channel = directory.create(name)) {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        }
    }

    String read(Name name) throws IOException {
        try (FileChannel channel = directory.openFile(name)) {
            ByteBuffer content = ByteBuffer.allocate((int) channel.size());
            channel.read(content);
            return new String(content.array(), StandardCharsets.UTF_8);
        }
    }

    static Errno errno(ThrowingCallable call) {
        PosixException e = catchThrowableOfType(PosixException.class, call);
        return e == null ? Errno.NONE : e.errno();
    }
}
