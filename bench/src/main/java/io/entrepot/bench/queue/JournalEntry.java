package io.entrepot.bench.queue;

import java.nio.ByteBuffer;

/** One record of the journal: 60 bytes, about what a real queue has to remember of a step. */
record JournalEntry(Kind kind, int tenant, long item, long epoch, long nonce) {

    static final int BYTES = 60;

    enum Kind {
        CLAIM('c'),
        FINISH('f');

        private final char letter;

        Kind(char letter) {
            this.letter = letter;
        }

        private static Kind of(byte letter) {
            return letter == CLAIM.letter ? CLAIM : FINISH;
        }
    }

    void writeTo(ByteBuffer buffer) {
        int begin = buffer.position();
        buffer.put((byte) kind.letter).putInt(tenant).putLong(item).putLong(epoch).putLong(nonce);
        while (buffer.position() < begin + BYTES) {
            buffer.put((byte) 0);
        }
    }

    static JournalEntry readFrom(ByteBuffer buffer) {
        int begin = buffer.position();
        JournalEntry entry = new JournalEntry(Kind.of(buffer.get()), buffer.getInt(), buffer.getLong(),
                buffer.getLong(),
                buffer.getLong());
        buffer.position(begin + BYTES);
        return entry;
    }
}
