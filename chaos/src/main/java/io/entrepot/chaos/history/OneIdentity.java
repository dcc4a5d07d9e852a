package io.entrepot.chaos.history;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The same idempotency key names the same item however often it is put; and the queue names no two items alike. */
final class OneIdentity {

    private record Put(Operation operation, String item, String id) {}

    private OneIdentity() {}

    static void check(List<Operation> operations, Findings findings) {
        Map<String, Put> byKey = new HashMap<>();
        Map<String, Put> byId = new HashMap<>();
        for (Operation operation : operations) {
            if (operation.call() instanceof Call.Put call && operation.answer() instanceof Answer.Stored stored) {
                Put put = new Put(operation, call.item(), stored.id());
                call.key().ifPresent(key -> {
                    Put first = byKey.computeIfAbsent(key, unseen -> put);
                    findings.check(first.item().equals(put.item()) && first.id().equals(put.id()), Rule.ONE_IDENTITY,
                            put.item(),
                            () -> "was put with key " + key + " as " + put.id() + ", which is " + first.item()
                                    + " as " + first.id(),
                            first.operation(), operation);
                });
                Put first = byId.computeIfAbsent(put.id(), unseen -> put);
                findings.check(first.item().equals(put.item()), Rule.ONE_IDENTITY, put.item(),
                        () -> "has the name " + put.id() + " of " + first.item(), first.operation(), operation);
            }
        }
    }
}
