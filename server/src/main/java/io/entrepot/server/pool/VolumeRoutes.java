package io.entrepot.server.pool;

import io.entrepot.pool.Location;
import io.entrepot.pool.Pool;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.VolumeState;
import io.entrepot.pool.job.JobHandle;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Ask;
import io.entrepot.server.json.Given;
import io.entrepot.server.json.Input;
import io.entrepot.server.json.Type;
import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.ProblemException;
import io.entrepot.server.route.Call;
import io.entrepot.server.route.Method;
import io.entrepot.server.route.Reply;
import io.entrepot.server.route.Route;
import java.io.IOException;
import java.util.List;

/** Where bytes are kept. */
public final class VolumeRoutes {
    static final Answer<VolumeInfo> VOLUME = Answer.<VolumeInfo>named("Volume")
            .with("name", Type.TEXT, "What it is called.", VolumeInfo::name)
            .with("path", Type.TEXT, "Where it is: a directory on the server's machine, or scheme:place.",
                    VolumeInfo::location)
            .with("state", Type.choice(VolumeState.class), "What it is for.", VolumeInfo::state)
            .with("health", Type.choice(VolumeHealth.class), "Whether it works.", VolumeInfo::health)
            .maybe("problem", Type.TEXT, "Why it does not.", VolumeInfo::problem)
            .with("total", Type.COUNT, "Bytes of the storage.", VolumeInfo::total)
            .with("free", Type.COUNT, "Free bytes of the storage.", VolumeInfo::free)
            .with("inFlight", Type.COUNT, "Bytes that are being written.", VolumeInfo::inFlight)
            .with("headroom", Type.COUNT, "Bytes that stay free.", VolumeInfo::headroom)
            .with("available", Type.WHOLE, "What new files may take.", VolumeInfo::available)
            .with("files", Type.COUNT, "How many it has.", VolumeInfo::files)
            .with("depth", Type.COUNT, "Directories between a tenant's and its files.", VolumeInfo::depth)
            .with("described", Type.TRUTH, "Its files carry what is needed to rebuild the database.",
                    VolumeInfo::described)
            .with("mounted", Type.TIME, "When it was mounted.", VolumeInfo::mounted);
    private static final Answer<List<VolumeInfo>> VOLUMES = VOLUME.listed("Volumes", "volumes");

    private static final Answer<List<String>> RECOUNT = Answer.<List<String>>named("VolumeRecount")
            .with("corrections", Type.TEXTS, "What was wrong, in words; none if all was right.", texts -> texts);

    /** What an operator can make of a volume by hand. */
    private enum Wanted {
        ACTIVE, READ_ONLY, SPARE
    }

    private static final Input<String> NAME = Input.text("name", "For people; unique: 1 to 63 of a-z 0-9 . _ -.")
            .required();
    private static final Input<Location> PATH = Inputs.location("path", "Its directory on the server's machine, made if"
            + " there is none, or scheme:place where the server has a backend for it.").required();
    private static final Input<Long> DEPTH = Input.whole("depth", 0, 3, "Directories between a tenant's and its files;"
            + " 2 if not said.");
    private static final Input<Long> HEADROOM = Input.whole("headroom", 0, Long.MAX_VALUE,
            "Bytes that stay free; 64 MiB"
                    + " if not said.");
    private static final Input<Long> NEW_HEADROOM = Input.whole("headroom", 0, Long.MAX_VALUE,
            "Bytes that stay free; as before if not said.");
    private static final Input<Boolean> SPARE = Input.truth("spare", "Used only when no other has room.");
    private static final Input<Wanted> STATE = Input.choice("state", Wanted.class,
            "Active takes files, also after a drain that is given up; read-only keeps what it has; a spare does, and is made"
                    + " active when no other has room. As before if not said.");
    private static final Input<Boolean> DRY_RUN = Input
            .truth("dryRun", "True only says what would be lost; false does it,"
                    + " and cannot be taken back.")
            .required();
    private static final Ask GIVE_UP = Ask.of("VolumeGiveUp", DRY_RUN);
    private static final Ask MOUNT = Ask.of("NewVolume", NAME, PATH, DEPTH, HEADROOM, SPARE);
    private static final Ask CHANGE = Ask.of("VolumeChange", STATE, NEW_HEADROOM);
    private static final String ONE = "/v1/volumes/{volume}";
    private static final String TAG = "Volumes";

    private final Pool pool;
    private final Chores chores;

    public VolumeRoutes(Pool pool, Chores chores) {
        this.pool = pool;
        this.chores = chores;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/v1/volumes").as("listVolumes", TAG, "By the order in which they were mounted")
                        .gives(200, VOLUMES, "The volumes.").does(_ -> Reply.ok(VOLUMES, pool.volumes().list())),
                Route.post("/v1/volumes").as("mountVolume", TAG, "Take a directory as a volume, from now on")
                        .takes(MOUNT).gives(201, VOLUME, "It is mounted.")
                        .problems(Code.INVALID_NAME, Code.INVALID_SETTING, Code.VOLUME_UNAVAILABLE).inAudit()
                        .does(this::mount),
                Route.get(ONE).as("getVolume", TAG, "A volume").gives(200, VOLUME, "The volume.")
                        .problems(Code.VOLUME_NOT_FOUND).does(call -> Reply.ok(VOLUME, volume(call))),
                Route.of(Method.PATCH, ONE)
                        .as("changeVolume", TAG, "Make it active, read-only or a spare, or change its headroom")
                        .takes(CHANGE)
                        .gives(200, VOLUME, "As it is now.").problems(Code.VOLUME_NOT_FOUND, Code.INVALID_SETTING,
                                Code.MISSING_VALUE)
                        .inAudit().does(this::change),
                Route.of(Method.DELETE, ONE).as("unmountVolume", TAG, "Forget a volume without files").givesNothing()
                        .problems(Code.VOLUME_NOT_FOUND, Code.INVALID_SETTING).inAudit().does(this::unmount),
                Route.post(ONE + "/drain").as("drainVolume", TAG, "Move its files to the others, in a job")
                        .gives(202, JobRoutes.JOB, "The job that does it.")
                        .problems(Code.VOLUME_NOT_FOUND, Code.INVALID_SETTING, Code.VOLUME_UNAVAILABLE).inAudit()
                        .does(this::drain),
                Route.post(ONE + "/give-up")
                        .as("giveUpVolume", TAG, "Give up a volume that is lost for good, in a job: its"
                                + " files are taken out of the books, and it is unmounted")
                        .takes(GIVE_UP)
                        .gives(202, JobRoutes.JOB, "The job that does it; its report says what is lost, and whose.")
                        .problems(Code.VOLUME_NOT_FOUND, Code.INVALID_SETTING, Code.JOBS_CLOSED).inAudit()
                        .does(this::giveUp),
                Route.post("/v1/volumes/probe").as("probeVolumes", TAG, "Try every volume now")
                        .gives(200, VOLUMES, "As they are now.").does(_ -> Reply.ok(VOLUMES, pool.volumes().probe())),
                Route.post("/v1/volumes/recount").as("recountVolumes", TAG,
                        "Count the files of all volumes in the books, and put the volumes' counters right if they are not")
                        .gives(200, RECOUNT, "What was found.").inAudit()
                        .does(_ -> Reply.ok(RECOUNT, pool.volumes().recount())),
                Route.post("/v1/volumes/sync").as("syncVolumes", TAG, "Make everything durable on the volumes now that"
                        + " is durable in the database").givesNothing().problems(Code.VOLUME_UNAVAILABLE).does(_ -> {
                            pool.volumes().sync();
                            return Reply.empty();
                        }));
    }

    private VolumeInfo volume(Call call) {
        return pool.volumes().get(call.path("volume"));
    }

    private Reply mount(Call call) throws IOException, InterruptedException {
        Given given = call.body(MOUNT);
        VolumeSpec spec = new VolumeSpec(given.get(NAME), given.get(PATH),
                given.find(DEPTH).map(Math::toIntExact).orElse(VolumeSpec.DEFAULT_DEPTH),
                given.get(HEADROOM, VolumeSpec.DEFAULT_HEADROOM), given.get(SPARE, false));
        return Reply.of(201, VOLUME, pool.volumes().mount(spec)).with("Location", "/v1/volumes/" + spec.name());
    }

    private Reply change(Call call) throws IOException {
        Given given = call.body(CHANGE);
        String name = volume(call).name();
        if (given.find(STATE).isEmpty() && given.find(NEW_HEADROOM).isEmpty()) {
            throw new ProblemException(Code.MISSING_VALUE, "a \"state\" or a \"headroom\", or both, are to be changed");
        }
        given.find(NEW_HEADROOM).ifPresent(bytes -> pool.volumes().setHeadroom(name, bytes));
        given.find(STATE).ifPresent(state -> make(name, state));
        return Reply.ok(VOLUME, pool.volumes().get(name));
    }

    private void make(String name, Wanted state) {
        switch (state) {
            case ACTIVE -> pool.volumes().activate(name);
            case READ_ONLY -> pool.volumes().setReadOnly(name);
            case SPARE -> pool.volumes().setSpare(name);
        }
    }

    private Reply unmount(Call call) {
        pool.volumes().unmount(volume(call).name());
        return Reply.empty();
    }

    private Reply giveUp(Call call) throws IOException, InterruptedException {
        boolean dryRun = call.body(GIVE_UP).get(DRY_RUN);
        JobHandle handle = pool.volumes().giveUp(volume(call).name(), dryRun);
        chores.remember(handle);
        return JobRoutes.begun(handle, pool);
    }

    private Reply drain(Call call) {
        JobHandle handle = pool.volumes().drain(volume(call).name());
        chores.remember(handle);
        return JobRoutes.begun(handle, pool);
    }
}
