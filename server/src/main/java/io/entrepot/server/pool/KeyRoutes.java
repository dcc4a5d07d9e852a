package io.entrepot.server.pool;

import io.entrepot.server.access.Access;
import io.entrepot.server.access.Identity;
import io.entrepot.server.access.Key;
import io.entrepot.server.access.Keys;
import io.entrepot.server.access.Scope;
import io.entrepot.server.access.Secret;
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
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/** Who may call, and what for. */
public final class KeyRoutes {
    private record Made(Key key, Secret secret) {}

    private static final Answer<List<Key>> KEYS = Key.ANSWER.listed("Keys", "keys");
    private static final Answer<Made> MADE = Answer.<Made>named("NewKeyAnswer").including(Key.ANSWER, Made::key)
            .with("key", Type.TEXT, "The key itself. It is told now and never again.", made -> made.secret.written());
    private static final Answer<Identity> ME = Answer.<Identity>named("Identity")
            .with("id", Type.TEXT, "The id of the key.", Identity::id)
            .with("name", Type.TEXT, "Its name.", Identity::name)
            .with("scopes", Type.TEXTS, "What it may do.", it -> it.scopes().stream().map(Scope::toString).sorted()
                    .toList());
    private static final Input<String> NAME = Input.text("name", "For people: whose it is, what for.").required();
    private static final Input<List<Scope>> SCOPES = Input.of("scopes", Type.TEXT, "What it may do: admin, metrics,"
            + " agent, view:read, tenant:NAME:read, tenant:NAME:write, tenant:NAME:process; * for all tenants.",
            Scope::parse).listed().required();
    private static final Input<Instant> EXPIRES = Inputs.time("expires", "When it ends; never if not said.");
    private static final Ask CREATE = Ask.of("NewKey", NAME, SCOPES, EXPIRES);
    private static final Input<List<String>> IDS = Input.text("ids", "Only these; all that are held if not said.")
            .listed();
    private static final Ask ENABLE = Ask.of("KeysToEnable", IDS);
    private static final Input<Boolean> FORGET = Input.truth("forget", "Take one that is revoked or expired out of the"
            + " list.");
    private static final int LONGEST_NAME = 200;
    private static final String TAG = "Keys";

    private final Keys keys;
    private final InstantSource wall;

    public KeyRoutes(Keys keys, InstantSource wall) {
        this.keys = keys;
        this.wall = wall;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/v1/me").needs(Access.ANY_KEY).as("getMe", TAG, "Whose key this is, and what it may do")
                        .gives(200, ME, "The key.").does(call -> Reply.ok(ME, call.who())),
                Route.get("/v1/keys").as("listKeys", TAG, "All keys, without their secrets, oldest first")
                        .gives(200, KEYS, "The keys.").does(_ -> Reply.ok(KEYS, keys.list())),
                Route.post("/v1/keys").as("createKey", TAG, "Make a key").takes(CREATE)
                        .gives(201, MADE, "It is made.").inAudit().does(this::create),
                Route.post("/v1/keys/enable").as("enableKeys", TAG, "Take keys into use again that came back with a"
                        + " backup, after a look whether one of them had been revoked").takes(ENABLE)
                        .gives(200, KEYS, "Those that were held and are good again.").inAudit().does(this::enable),
                Route.get("/v1/keys/{id}").as("getKey", TAG, "A key").gives(200, Key.ANSWER, "The key.")
                        .problems(Code.NO_SUCH_RESOURCE).does(call -> Reply.ok(Key.ANSWER, key(call))),
                Route.of(Method.DELETE, "/v1/keys/{id}").as("revokeKey", TAG, "Refuse a key from now on").query(FORGET)
                        .givesNothing().problems(Code.NO_SUCH_RESOURCE, Code.EXISTS).inAudit().does(this::revoke));
    }

    private Key key(Call call) {
        return keys.find(call.path("id")).orElseThrow(() -> new ProblemException(Code.NO_SUCH_RESOURCE,
                "there is no key " + call.path("id")));
    }

    private Reply create(Call call) throws IOException {
        Given given = call.body(CREATE);
        Optional<Instant> expires = given.find(EXPIRES);
        if (expires.filter(end -> !end.isAfter(wall.instant())).isPresent()) {
            throw new ProblemException(Code.INVALID_VALUE, "\"expires\": is in the past");
        }
        String name = given.get(NAME);
        if (name.isBlank() || name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw new ProblemException(Code.INVALID_VALUE, "\"name\": has 1 to " + LONGEST_NAME
                    + " characters, none of them control characters");
        }
        if (given.get(SCOPES).isEmpty()) {
            throw new ProblemException(Code.INVALID_VALUE, "\"scopes\": a key that may do nothing is of no use");
        }
        Secret secret = keys.create(name, new HashSet<>(given.get(SCOPES)), expires);
        return Reply.of(201, MADE, new Made(keys.find(secret.id()).orElseThrow(), secret))
                .with("Location", "/v1/keys/" + secret.id());
    }

    private Reply enable(Call call) throws IOException {
        List<String> ids = call.body(ENABLE).find(IDS).orElse(List.of());
        return Reply.ok(KEYS, keys.enable(new HashSet<>(ids)));
    }

    private Reply revoke(Call call) {
        Key key = key(call);
        if (!call.query(FORGET, false)) {
            keys.revoke(key.id());
        } else if (!keys.forget(key.id())) {
            throw new ProblemException(Code.EXISTS, "the key " + key.id() + " is good; revoke it first");
        }
        return Reply.empty();
    }
}
