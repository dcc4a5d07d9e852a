package io.entrepot.posix;

import java.util.EnumSet;
import java.util.Set;

/**
 * What a {@link Cursor} looks up. On network storage each field may cost: a size, for instance, makes an NFS client write
 * out what it holds back.
 */
public enum StatField {
    TYPE, MODE, LINKS, OWNER, INODE, SIZE, MTIME, CTIME;

    /** All but the owner. */
    public static Set<StatField> usual() {
        return EnumSet.complementOf(EnumSet.of(OWNER));
    }
}
