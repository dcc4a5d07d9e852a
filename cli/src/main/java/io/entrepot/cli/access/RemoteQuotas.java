package io.entrepot.cli.access;

import io.entrepot.client.Administration;
import io.entrepot.client.Json;
import io.entrepot.pool.DirectoryUsage;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.Recount;
import io.entrepot.pool.RequestRefusedException;
import io.entrepot.pool.TenantId;
import java.util.List;
import java.util.Optional;

/** Quotas of a pool behind a server. */
record RemoteQuotas(Administration administration) implements QuotaAccess {
    private static final String NOT_THERE = "http.no-such-resource";

    @Override
    public List<QuotaRule> rules() {
        return administration.quotas().stream().map(RemoteQuotas::rule).toList();
    }

    @Override
    public void set(QuotaRule rule) {
        Json _ = administration.setQuota(rule);
    }

    @Override
    public boolean remove(String pattern) {
        try {
            administration.removeQuota(pattern);
            return true;
        } catch (RequestRefusedException e) {
            if (e.code().equals(NOT_THERE)) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public List<DirectoryUsage> usage(TenantId tenant) {
        return administration.directories(tenant).stream().map(json -> new DirectoryUsage(
                LogicalDirectory.of(json.get("directory").text()), json.get("files").whole(),
                json.get("rule").isMissing() ? Optional.empty() : Optional.of(rule(json.get("rule"))))).toList();
    }

    @Override
    public Recount recount(TenantId tenant) {
        Json json = administration.recount(tenant);
        return new Recount(tenant, json.get("files").whole(), json.get("bytes").whole(), json.get("corrections").list()
                .stream().map(Json::text).toList());
    }

    private static QuotaRule rule(Json json) {
        return new QuotaRule(json.get("pattern").text(), json.get("maxFiles").whole(),
                Math.toIntExact(json.get("warnPercent").whole()), json.get("inherited").truth(),
                json.get("enabled").truth());
    }
}
