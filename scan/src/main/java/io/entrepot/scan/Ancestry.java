package io.entrepot.scan;

import io.entrepot.posix.Name;
import io.entrepot.posix.Stat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Which directories lead from the root of a scan to one of them: the names, and what each was. Immutable. */
final class Ancestry {
    private final @Nullable Ancestry above;
    private final @Nullable Name name;
    private final long device;
    private final long inode;
    private final OptionalLong mountId;
    private final int depth;

    private Ancestry(@Nullable Ancestry above, @Nullable Name name, Stat self, int depth) {
        this.above = above;
        this.name = name;
        this.device = self.device();
        this.inode = self.inode();
        this.mountId = self.mountId();
        this.depth = depth;
    }

    static Ancestry root(Stat self) {
        return new Ancestry(null, null, self, 0);
    }

    Ancestry child(Name childName, Stat self) {
        return new Ancestry(this, childName, self, depth + 1);
    }

    int depth() {
        return depth;
    }

    long device() {
        return device;
    }

    boolean isSame(Stat other) {
        return inode == other.inode() && device == other.device();
    }

    /** Whether a directory right below is on another mount, as far as the system tells. */
    boolean isMountedUnder(Stat child) {
        return child.device() != device
                || (mountId.isPresent() && child.mountId().isPresent() && !mountId.equals(child.mountId()));
    }

    /** Whether this or a directory above it is the same as one right below. Some file systems have no inode numbers. */
    boolean contains(Stat child) {
        if (child.inode() == 0) {
            return false;
        }
        for (Ancestry one = this; one != null; one = one.above) {
            if (one.isSame(child)) {
                return true;
            }
        }
        return false;
    }

    boolean knowsMounts() {
        return mountId.isPresent();
    }

    /** From below the root to here. */
    List<Name> names() {
        List<Name> names = new ArrayList<>(depth);
        for (Ancestry one = this; one.name != null && one.above != null; one = one.above) {
            names.add(one.name);
        }
        Collections.reverse(names);
        return names;
    }
}
