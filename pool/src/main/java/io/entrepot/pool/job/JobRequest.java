package io.entrepot.pool.job;

import java.util.Map;

/**
 * What somebody asks of a run. Runs by schedule have {@link #PLAIN}.
 *
 * @param dryRun     says what would be done, and changes nothing; refused if the task {@linkplain Task#dryRun has none}
 * @param parameters what they mean is up to the task
 */
public record JobRequest(boolean dryRun, Map<String, String> parameters) {
    public static final JobRequest PLAIN = new JobRequest(false, Map.of());
    public static final JobRequest DRY_RUN = new JobRequest(true, Map.of());

    public JobRequest {
        parameters = Map.copyOf(parameters);
    }
}
