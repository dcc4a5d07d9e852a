package io.entrepot.bench.queue.peers;

import com.zaxxer.hikari.HikariDataSource;
import io.entrepot.bench.queue.PairLoad;
import java.time.Duration;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.configuration.JobRunrConfiguration.JobRunrConfigurationResult;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;

/** JobRunr with jobs that do nothing, without its dashboard. */
final class JobRunrPeer implements Peer {

    static final String NAME = "jobrunr";

    /** The shortest it accepts for a database; when workers are free it looks sooner. */
    private static final Duration POLL = Duration.ofSeconds(5);
    private static final int MOST_JOBS = 2_000;

    private final DataSource database;
    private final int mostItems;

    JobRunrPeer(DataSource database, int mostItems) {
        this.database = database;
        this.mostItems = mostItems;
    }

    /** A job that does nothing. JobRunr writes it down as JSON. */
    public record EmptyJob() implements JobRequest {

        @Override
        public Class<EmptyHandler> getJobRequestHandler() {
            return EmptyHandler.class;
        }
    }

    /** Says that the job ran. Public, as JobRunr calls it by reflection. */
    public record EmptyHandler(JobClock clock) implements JobRequestHandler<EmptyJob> {

        @Override
        public void run(EmptyJob job) {
            clock.tick();
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String note() {
        return "jobs with an empty handler, as JSON by Jackson; poll interval 5 s, its minimum, and more work fetched as"
                + " workers become free; each step of a job a commit that is synced; history, outcomes and retries yes";
    }

    @Override
    public double measure(PairLoad load) throws Exception {
        int jobs = load.atMost(mostItems).atMost(MOST_JOBS).items();
        JobClock clock = new JobClock(jobs);
        try (HikariDataSource pool = PostgresPeers.pool(database, load.workers())) {
            try {
                JobRunrConfigurationResult jobRunr = configure(pool, clock, load.workers());
                PostgresPeers.execute(database, "TRUNCATE jobrunr_jobs");
                jobRunr.getJobRequestScheduler().enqueue(Stream.generate(EmptyJob::new).limit(jobs));
                PostgresPeers.execute(database, "VACUUM ANALYZE jobrunr_jobs");
                JobRunr.getBackgroundJobServer().start();
                return clock.await(database, "SELECT count(*) FROM jobrunr_jobs WHERE state <> 'SUCCEEDED'");
            } finally {
                JobRunr.destroy();
            }
        }
    }

    private static JobRunrConfigurationResult configure(DataSource pool, JobClock clock, int workers) {
        return JobRunr.configure().useJsonMapper(new JacksonJsonMapper()).useJobActivator(new JobActivator() {
            @Override
            public <T> T activateJob(Class<T> type) {
                return type.cast(new EmptyHandler(clock));
            }
        }).useStorageProvider(new PostgresStorageProvider(pool))
                .useBackgroundJobServer(BackgroundJobServerConfiguration
                        .usingStandardBackgroundJobServerConfiguration().andPollInterval(POLL)
                        .andWorkerCount(workers), false)
                .initialize();
    }
}
