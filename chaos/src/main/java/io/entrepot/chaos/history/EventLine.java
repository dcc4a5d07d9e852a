package io.entrepot.chaos.history;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Events as lines of words: {@code @began 17 123456 worker-3 FINISH item-9 2 nonce}. Made by hand and not with a JSON
 * library, because a child that lives for a tenth of a second cannot spend it on loading one.
 */
final class EventLine {

    private static final String BEGAN = "@began";
    private static final String ENDED = "@ended";
    private static final String NONE = "-";

    private EventLine() {}

    static String write(Event event) {
        StringBuilder line = new StringBuilder();
        switch (event) {
            case Event.Began began -> {
                words(line, BEGAN, began.number(), began.time(), began.worker());
                call(line, began.call());
            }
            case Event.Ended ended -> {
                words(line, ENDED, ended.number(), ended.time());
                answer(line, ended.answer());
            }
        }
        return line.toString().stripTrailing();
    }

    private static void call(StringBuilder line, Call call) {
        switch (call) {
            case Call.Put put -> words(line, "PUT", put.item(), put.key().orElse(NONE));
            case Call.Claim claim -> words(line, "CLAIM");
            case Call.Remove remove -> words(line, "REMOVE", remove.item());
            case Call.Step step -> {
                words(line, step.kind());
                grant(line, step.lease());
            }
        }
    }

    private static void answer(StringBuilder line, Answer answer) {
        switch (answer) {
            case Answer.Stored stored -> words(line, "STORED", stored.id());
            case Answer.Granted granted -> {
                words(line, "GRANTED", granted.grants().size());
                granted.grants().forEach(grant -> grant(line, grant));
            }
            case Answer.Ended ended -> words(line, "ENDED", ended.ending(), ended.repeated());
            case Answer.Renewed renewed -> words(line, "RENEWED");
            case Answer.Removed removed -> words(line, "REMOVED");
            case Answer.Refused refused -> words(line, "REFUSED", refused.why());
            case Answer.Unknown unknown -> words(line, "UNKNOWN", unknown.why());
        }
    }

    private static void grant(StringBuilder line, Grant grant) {
        words(line, grant.item(), grant.epoch(), grant.nonce());
    }

    private static void words(StringBuilder line, Object... words) {
        for (Object word : words) {
            line.append(word).append(' ');
        }
    }

    static Optional<Event> read(String line) {
        Iterator<String> words = List.of(line.split(" ", -1)).iterator();
        return switch (words.next()) {
            case BEGAN -> Optional.of(
                    new Event.Began(number(words), number(words), words.next(), readCall(words.next(), words)));
            case ENDED -> Optional.of(new Event.Ended(number(words), number(words), readAnswer(words.next(), words)));
            default -> Optional.empty();
        };
    }

    private static Call readCall(String kind, Iterator<String> words) {
        return switch (kind) {
            case "PUT" -> new Call.Put(words.next(), Optional.of(words.next()).filter(key -> !key.equals(NONE)));
            case "CLAIM" -> new Call.Claim();
            case "REMOVE" -> new Call.Remove(words.next());
            default -> new Call.Step(Call.Step.Kind.valueOf(kind), readGrant(words));
        };
    }

    private static Answer readAnswer(String kind, Iterator<String> words) {
        return switch (kind) {
            case "STORED" -> new Answer.Stored(words.next());
            case "GRANTED" -> {
                List<Grant> grants = new ArrayList<>();
                for (long left = number(words); left > 0; left--) {
                    grants.add(readGrant(words));
                }
                yield new Answer.Granted(grants);
            }
            case "ENDED" -> new Answer.Ended(Ending.valueOf(words.next()), Boolean.parseBoolean(words.next()));
            case "RENEWED" -> new Answer.Renewed();
            case "REMOVED" -> new Answer.Removed();
            case "REFUSED" -> new Answer.Refused(words.next());
            case "UNKNOWN" -> new Answer.Unknown(words.next());
            default -> throw new IllegalArgumentException("not an answer: " + kind);
        };
    }

    private static Grant readGrant(Iterator<String> words) {
        return new Grant(words.next(), number(words), words.next());
    }

    private static long number(Iterator<String> words) {
        return Long.parseLong(words.next());
    }
}
