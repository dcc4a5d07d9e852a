package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.Crowd;
import io.entrepot.pool.ClaimOrder;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.TenantDisabledException;
import io.entrepot.pool.TenantExistsException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantNotFoundException;
import io.entrepot.pool.TenantSpec;
import io.entrepot.pool.TenantStatus;
import io.entrepot.pool.TenantSuspendedException;
import org.junit.jupiter.api.Test;

/** Tenants, and what each state allows. */
abstract class TenantContract extends PoolContract {

    TenantContract(PoolFixture fixture) {
        super(fixture);
    }

    @Test
    void tenant_whenUnknown_isRefusedEverything() {
        TenantId nobody = new TenantId("nobody");

        assertRefused(TenantNotFoundException.class, "pool.tenant-not-found", () -> write(nobody, "x"));
        assertRefused(TenantNotFoundException.class, "pool.tenant-not-found",
                () -> pool.work().claim(nobody, "worker"));
        assertRefused(TenantNotFoundException.class, "pool.tenant-not-found", () -> pool.tenants().enable(nobody));
        assertRefused(TenantExistsException.class, "pool.tenant-exists", () -> pool.tenants().create(ACME));
    }

    @Test
    void tenant_whenItIsSeededSuspended_takesNothingUntilItIsEnabledAndIsNotSuspendedAgain() throws Exception {
        TenantId late = new TenantId("late");
        config = config.withTenant(TenantSpec.of(late).withStatus(TenantStatus.SUSPENDED));
        reopen();

        assertRefused(TenantSuspendedException.class, "pool.tenant-suspended", () -> write(late, "x"));
        assertRefused(TenantSuspendedException.class, "pool.tenant-suspended",
                () -> pool.work().claim(late, "worker"));
        pool.tenants().enable(late);
        reopen();

        assertThat(pool.tenants().get(late).status()).isEqualTo(TenantStatus.ENABLED);
        FileKey key = write(late, "x");
        assertThat(claim(late).key()).isEqualTo(key);
    }

    @Test
    void tenant_whenDisabled_isRefusedEverythingAndLosesNothing() throws Exception {
        FileKey key = write(ACME, "x");
        FileKey held = write(ACME, "y");
        ClaimedFile claimed = pool.work().claim(ACME, held, "worker", TERM);
        pool.tenants().disable(ACME);
        reopen();

        assertThat(pool.tenants().get(ACME).status()).isEqualTo(TenantStatus.DISABLED);
        assertRefused(TenantDisabledException.class, "pool.tenant-disabled", () -> write(ACME, "x"));
        assertRefused(TenantDisabledException.class, "pool.tenant-disabled", () -> read(ACME, key));
        assertRefused(TenantDisabledException.class, "pool.tenant-disabled", () -> claim(ACME));
        assertRefused(TenantDisabledException.class, "pool.tenant-disabled",
                () -> pool.work().complete(claimed.lease()));
        assertRefused(TenantDisabledException.class, "pool.tenant-disabled",
                () -> pool.work().fail(claimed.lease(), "no"));
        clocks.pass(TERM);
        pool.tick();
        write(OTHER, "z");

        pool.tenants().enable(ACME);
        assertThat(read(ACME, key)).isEqualTo("x");
        assertThat(pool.files().get(ACME, held).deliveries()).isZero();
        assertThat(claim(ACME).key()).isEqualTo(key);
    }

    @Test
    void tenant_whenSuspended_endsWhatItHasAndGetsNothingNew() throws Exception {
        FileKey key = write(ACME, "x");
        ClaimedFile claimed = claim(ACME);
        write(ACME, "y");
        pool.tenants().suspend(ACME);

        assertRefused(TenantSuspendedException.class, "pool.tenant-suspended", () -> write(ACME, "z"));
        assertRefused(TenantSuspendedException.class, "pool.tenant-suspended", () -> claim(ACME));
        assertThat(read(ACME, key)).isEqualTo("x");
        pool.work().renew(claimed.lease());
        pool.work().complete(claimed.lease());

        pool.tenants().enable(ACME);
        claim(ACME);
    }

    @Test
    void tenant_whenPaused_handsOutNothingAlsoAfterAStatusChange() throws Exception {
        write(ACME, "x");
        pool.tenants().setPaused(ACME, true);
        pool.tenants().suspend(ACME);
        pool.tenants().enable(ACME);

        assertThat(pool.work().claim(ACME, "worker")).isEmpty();
        pool.tenants().setPaused(ACME, false);
        claim(ACME);
    }

    @Test
    void tenant_whenDeletedWithFiles_isGoneWithThem() throws Exception {
        write(ACME, "x");
        write(OTHER, "y");

        assertRefused(InvalidSettingException.class, "pool.invalid-setting",
                () -> pool.tenants().delete(ACME, false));
        pool.tenants().delete(ACME, true);

        assertThat(pool.tenants().find(ACME)).isEmpty();
        eventually(() -> onDisk(ACME).isEmpty());
        pool.tenants().create(ACME);
        assertThat(pool.tenants().usage(ACME).files()).isZero();
        assertThat(pool.work().claim(ACME, "worker")).isEmpty();
        assertThat(pool.work().claim(ClaimOrder.of(OTHER, "worker"))).hasSize(1);
        FileKey key = write(ACME, "new");
        assertThat(claim(ACME).key()).isEqualTo(key);
    }

    @Test
    void tenant_whenDeletedWithoutFilesWhileSomeAreWritten_losesNone() throws Exception {
        for (int i = 0; i < 20; i++) {
            TenantId tenant = new TenantId("t" + i);
            pool.tenants().create(tenant);
            Crowd<Boolean> writers = Crowd.start(4, _ -> {
                try {
                    write(tenant, "x");
                    return true;
                } catch (TenantNotFoundException e) {
                    return false;
                }
            });
            boolean deleted;
            try {
                pool.tenants().delete(tenant, false);
                deleted = true;
            } catch (InvalidSettingException e) {
                deleted = false;
            }
            long written = writers.results().stream().filter(yes -> yes).count();
            assertThat(deleted ? 0 : pool.tenants().usage(tenant).files()).isEqualTo(written);
            assertThat(deleted || pool.tenants().get(tenant).status() == TenantStatus.ENABLED).isTrue();
        }
    }

    @Test
    void tenant_whenCreatedByItsFirstFile_isThere() throws Exception {
        config = config.withAutoCreateTenants(true);
        reopen();

        write(new TenantId("new"), NewFile.unnamed(), "x");

        assertThat(pool.tenants().get(new TenantId("new")).status()).isEqualTo(TenantStatus.ENABLED);
        assertThat(pool.tenants().list()).extracting(tenant -> tenant.id().name())
                .containsExactly("acme", "new", "other");
    }
}
