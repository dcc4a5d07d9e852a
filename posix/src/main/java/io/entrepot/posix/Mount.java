package io.entrepot.posix;

/**
 * A mounted file system.
 *
 * @param id     as {@link Stat#mountId}; -1 where the system has no such number
 * @param point  where it is mounted
 * @param type   such as {@code ext4}, {@code tmpfs}, {@code nfs4}, {@code fuse.sshfs}
 * @param source what is mounted, as it was given: a device, {@code server:/export}
 * @param device as {@link Stat#device}; -1 where the system does not say
 */
public record Mount(long id, BytePath point, String type, String source, long device) {

    /** Whether other machines may change what is on it, unseen by this one's notification. */
    public boolean isRemote() {
        return type.startsWith("nfs") || type.startsWith("fuse.") || switch (type) {
            case "cifs", "smb3", "smbfs", "ceph", "9p", "afs", "glusterfs", "lustre", "gpfs", "beegfs", "ocfs2", "gfs2",
                    "virtiofs", "webdav", "afpfs" ->
                true;
            default -> false;
        };
    }
}
