package io.entrepot.posix;

/**
 * A small file that was read in one go.
 *
 * @param before what it was like when it was opened
 * @param bytes  its content: all of it if it has not changed meanwhile
 * @param after  what the very file that was read was like when that was done
 */
@SuppressWarnings("ArrayRecordComponent") // passed through, never compared
public record WholeFile(Stat before, byte[] bytes, Stat after) {

    /** Whether it was the same file with the same content all the time, as far as its times can tell. */
    public boolean isUnchanged() {
        return before.isSameFile(after) && before.size() == after.size() && before.mtime() == after.mtime()
                && before.ctime() == after.ctime() && bytes.length == before.size();
    }
}
