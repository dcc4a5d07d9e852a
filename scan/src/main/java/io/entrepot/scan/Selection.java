package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Cursor;
import io.entrepot.posix.FileType;
import java.util.Arrays;

/** Decides on one entry after another whether it is reported, before it is looked at. For one thread. */
class Selection {
    /** Keeps everything; without state, so for all threads. */
    static final Selection ALL = new Selection();

    /** Before the first entry of a directory. */
    void enter(BytePath directory) {}

    boolean keeps(Cursor cursor) {
        return true;
    }

    static Selection of(ScanRequest request) {
        return request.filter().leavesNothingOut() && !request.directoriesOnly() ? ALL : new Filtered(request);
    }

    private static final class Filtered extends Selection {
        private final BytePath root;
        private final PathFilter filter;
        private final boolean directoriesOnly;
        private byte[] path = new byte[1024];
        private int nameAt;

        Filtered(ScanRequest request) {
            this.root = request.root();
            this.filter = request.filter();
            this.directoriesOnly = request.directoriesOnly();
        }

        @Override
        void enter(BytePath directory) {
            byte[] prefix = root.relativize(directory).bytes();
            nameAt = prefix.length == 0 ? 0 : prefix.length + 1;
            if (nameAt + 256 > path.length) {
                path = new byte[nameAt + 1024];
            }
            System.arraycopy(prefix, 0, path, 0, prefix.length);
            if (nameAt > 0) {
                path[nameAt - 1] = '/';
            }
        }

        @Override
        boolean keeps(Cursor cursor) {
            boolean directory = cursor.type() == FileType.DIRECTORY;
            if (directoriesOnly && !directory) {
                return false;
            }
            int length = cursor.nameLength();
            if (nameAt + length > path.length) {
                path = Arrays.copyOf(path, nameAt + length + 1024);
            }
            cursor.copyName(path, nameAt);
            return filter.keeps(path, nameAt + length, directory);
        }
    }
}
