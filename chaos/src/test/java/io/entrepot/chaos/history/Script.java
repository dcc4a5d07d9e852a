package io.entrepot.chaos.history;

import io.entrepot.chaos.history.Call.Step.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A history written by hand. Times are the first two arguments; a step's lease is named by item and epoch. */
final class Script {

    private final List<Operation> operations = new ArrayList<>();

    Script op(long start, long end, Call call, Answer answer) {
        operations.add(new Operation("test", operations.size(), "worker", call, start, end, answer));
        return this;
    }

    static Grant lease(String item, long epoch) {
        return new Grant(item, epoch, "n" + epoch);
    }

    static Answer done(Ending ending) {
        return new Answer.Ended(ending, false);
    }

    static Answer again(Ending ending) {
        return new Answer.Ended(ending, true);
    }

    Script put(long start, long end, String item) {
        return op(start, end, new Call.Put(item, Optional.empty()), new Answer.Stored("id-" + item));
    }

    Script put(long start, long end, String item, String key, String id) {
        return op(start, end, new Call.Put(item, Optional.of(key)), new Answer.Stored(id));
    }

    Script putUnknown(long start, String item) {
        return op(start, Operation.NEVER, new Call.Put(item, Optional.empty()), new Answer.Unknown("died"));
    }

    Script claim(long start, long end, String item, long epoch) {
        return op(start, end, new Call.Claim(), new Answer.Granted(List.of(lease(item, epoch))));
    }

    Script step(long start, long end, Kind kind, String item, long epoch, Answer answer) {
        return op(start, end, new Call.Step(kind, lease(item, epoch)), answer);
    }

    Script finish(long start, long end, String item, long epoch) {
        return step(start, end, Kind.FINISH, item, epoch, done(Ending.FINISHED));
    }

    Script finishUnknown(long start, String item, long epoch) {
        return step(start, Operation.NEVER, Kind.FINISH, item, epoch, new Answer.Unknown("died"));
    }

    Script release(long start, long end, String item, long epoch) {
        return step(start, end, Kind.RELEASE, item, epoch, done(Ending.RELEASED));
    }

    Script renew(long start, long end, String item, long epoch) {
        return step(start, end, Kind.RENEW, item, epoch, new Answer.Renewed());
    }

    Script remove(long start, long end, String item) {
        return op(start, end, new Call.Remove(item), new Answer.Removed());
    }

    List<Violation> end(String... waiting) {
        return endWith(List.of(waiting).stream().map(item -> new FinalItem(item, false)).toList());
    }

    List<Violation> endWith(List<FinalItem> atTheEnd) {
        return QueueHistoryChecker.check(operations, atTheEnd).violations();
    }

    Verdict soFar() {
        return QueueHistoryChecker.check(operations);
    }
}
