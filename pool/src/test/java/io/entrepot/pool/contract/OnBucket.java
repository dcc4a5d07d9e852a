package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entrepot.pool.FileInfo;
import io.entrepot.pool.Location;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.volume.Bucket;
import io.entrepot.pool.volume.Buckets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** A volume in a bucket. */
final class OnBucket implements Storage {
    static final String PREFIX = "pool/";
    static final Location PLACE = Location.parse("bucket:one/pool");
    private static final String INCOMING = PREFIX + ".entrepot/incoming/";

    final Buckets buckets = new Buckets().withCapacity(1L << 30);

    Bucket bucket() {
        return buckets.bucket("one");
    }

    PoolConfig config(PoolConfig config) {
        return config.withBackends(buckets);
    }

    static VolumeSpec volume(String name) {
        return VolumeSpec.of(name, PLACE).withHeadroom(0);
    }

    /** With no other volume than this, under the name of the one that there was. */
    Pool opened(Pool pool, PoolConfig config) throws InterruptedException {
        pool.close();
        Pool opened = Pool.open(config);
        opened.volumes().unmount("main");
        opened.volumes().mount(volume("main"));
        return opened;
    }

    /** From now on it is the only volume of the contract's pool. */
    void takeOver(PoolContract contract) throws InterruptedException {
        contract.storage = this;
        contract.config = config(contract.config);
        contract.pool = opened(contract.pool, contract.config);
    }

    private List<String> below(String prefix) {
        return bucket().keys(key -> key.startsWith(prefix));
    }

    private String key(FileInfo file) {
        return below(PREFIX + file.tenant().name() + "/").stream()
                .filter(key -> key.contains(file.key().toString())).findFirst().orElseThrow();
    }

    @Override
    public List<Path> blobs(TenantId tenant) {
        return below(PREFIX + tenant.name() + "/").stream().map(Path::of).toList();
    }

    @Override
    public byte[] bytes(FileInfo file) {
        return bucket().content(key(file));
    }

    @Override
    public void change(FileInfo file, String content) {
        bucket().add(key(file), content.getBytes(UTF_8));
    }

    @Override
    public void remove(FileInfo file) {
        bucket().remove(key(file));
    }

    @Override
    public List<Path> begun() {
        return below(INCOMING).stream().map(key -> Path.of(key).getParent()).distinct().toList();
    }

    @Override
    public void addToBegun(String more) {
        String one = begun().getFirst() + "/";
        long size = below(one).stream().mapToLong(key -> bucket().content(key).length).sum();
        bucket().add(one + String.format(Locale.ROOT, "%019d", size), more.getBytes(UTF_8));
    }
}
