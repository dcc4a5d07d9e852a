package io.entrepot.queue;

/** Text that people write and tables keep: on one line, and the same when it is read back. */
final class OneLine {

    private OneLine() {}

    /** Not blank, not too long, without control characters and halves of characters. */
    static boolean is(String text, int longest) {
        return !text.isBlank() && text.length() <= longest && text.codePoints().noneMatch(
                point -> Character.isISOControl(point) || Character.getType(point) == Character.SURROGATE);
    }
}
