package io.entrepot.chaos.lab;

import io.entrepot.lab.Parent;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The simplest program that keeps a promise: appends numbers to a file, syncs, and says the number. Told {@code FILE FIRST},
 * goes on until it is killed; told {@code exit}, ends.
 */
final class AppendingChild {

    private AppendingChild() {}

    public static void main(String[] arguments) throws Exception {
        Parent parent = Parent.connect();
        parent.ready();
        String command = parent.next();
        if (command.equals("exit")) {
            System.exit(0);
        }
        String[] words = command.split(" ", -1);
        try (FileChannel channel = FileChannel.open(Path.of(words[0]), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            ByteBuffer record = ByteBuffer.allocateDirect(Long.BYTES);
            for (long number = Long.parseLong(words[1]);; number++) {
                channel.write(record.clear().putLong(number).flip());
                channel.force(true);
                parent.say(Long.toString(number));
            }
        }
    }
}
