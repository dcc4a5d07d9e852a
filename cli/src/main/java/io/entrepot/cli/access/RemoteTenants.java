package io.entrepot.cli.access;

import io.entrepot.client.Administration;
import io.entrepot.client.EntrepotClient;
import io.entrepot.client.Json;
import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantStatus;
import io.entrepot.pool.TenantUsage;
import io.entrepot.queue.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Tenants of a pool behind a server. */
record RemoteTenants(EntrepotClient client) implements TenantAccess {

    private Administration administration() {
        return client.administration();
    }

    @Override
    public List<Tenant> list() {
        return administration().tenants().stream().map(RemoteTenants::tenant).toList();
    }

    @Override
    public Tenant get(TenantId tenant) {
        return tenant(administration().tenant(tenant));
    }

    @Override
    public TenantUsage usage(TenantId tenant) {
        return administration().usage(tenant);
    }

    @Override
    public Tenant create(TenantId tenant, TenantLimits limits, boolean shard) {
        return tenant(administration().createTenant(tenant, limits, shard));
    }

    @Override
    public Tenant setStatus(TenantId tenant, TenantStatus status) {
        return tenant(administration().setStatus(tenant, status));
    }

    @Override
    public Tenant setPaused(TenantId tenant, boolean paused) {
        return tenant(administration().setPaused(tenant, paused));
    }

    @Override
    public Tenant setLimits(TenantId tenant, TenantLimits limits) {
        return change(tenant, "{\"maxFiles\":" + number(limits.files()) + ",\"maxBytes\":" + number(limits.bytes())
                + ",\"warnPercent\":" + limits.warnPercent() + "}");
    }

    private static String number(OptionalLong value) {
        return value.isPresent() ? Long.toString(value.getAsLong()) : "null";
    }

    @Override
    public RetryPolicy retryRule(TenantId tenant) {
        return rule(administration().tenant(tenant).get("retryRule"));
    }

    @Override
    public Tenant setRetry(TenantId tenant, Optional<RetryPolicy> retry) {
        return change(tenant, "{\"retry\":" + retry.map(rule -> Json.object().with("attempts", rule.attempts())
                .with("first", rule.initial()).with("longest", rule.max()).with("exponential", rule.exponential()))
                .map(Json::toString).orElse("null") + "}");
    }

    private Tenant change(TenantId tenant, String change) {
        return tenant(administration().changeTenant(tenant, Json.parse(change)));
    }

    @Override
    public void delete(TenantId tenant, boolean withFiles) {
        administration().deleteTenant(tenant, withFiles);
    }

    private static RetryPolicy rule(Json retry) {
        return new RetryPolicy(Duration.parse(retry.get("first").text()), Duration.parse(retry.get("longest").text()),
                Math.toIntExact(retry.get("attempts").whole()), retry.get("exponential").truth());
    }

    private static Tenant tenant(Json json) {
        Json retry = json.get("retry");
        return new Tenant(new TenantId(json.get("id").text()), Constants.parse(TenantStatus.class,
                json.get("status")), json.get("paused").truth(),
                new TenantLimits(json.get("maxFiles").number(), json.get("maxBytes").number(),
                        Math.toIntExact(json.get("warnPercent").whole())),
                retry.isMissing()
                        ? Optional.empty()
                        : Optional.of(rule(retry)),
                Instant.parse(json.get("created").text()), json.get("sharded").truth());
    }
}
