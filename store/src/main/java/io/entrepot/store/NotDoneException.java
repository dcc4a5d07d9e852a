package io.entrepot.store;

import org.jspecify.annotations.Nullable;

/** The unit of work could not be done and nothing of it remains. */
public final class NotDoneException extends StoreException {
    private static final String DISK_FULL = "store.disk-full";

    private NotDoneException(String code, Advice advice, String message, @Nullable Throwable cause) {
        super(code, advice, message, cause);
    }

    public static NotDoneException diskFull(String message, @Nullable Throwable cause) {
        return new NotDoneException(DISK_FULL, Advice.RETRY, message, cause);
    }

    public boolean isDiskFull() {
        return code().equals(DISK_FULL);
    }

    public static NotDoneException notWritable(String message, @Nullable Throwable cause) {
        return new NotDoneException("store.not-writable", Advice.GIVE_UP, message, cause);
    }

    public static NotDoneException io(String message, @Nullable Throwable cause) {
        return new NotDoneException("store.io", Advice.RETRY, message, cause);
    }

    /** A long piece of work was ended early because its caller was interrupted. */
    public static NotDoneException interrupted(String message, @Nullable Throwable cause) {
        return new NotDoneException("store.interrupted", Advice.RETRY, message, cause);
    }

    /** A statement was refused: a constraint, a wrong type, a mistake in the SQL. */
    public static NotDoneException refused(String message, @Nullable Throwable cause) {
        return new NotDoneException("store.refused", Advice.GIVE_UP, message, cause);
    }

    /** The same for another caller, who gets a trace of its own. */
    public NotDoneException again() {
        return new NotDoneException(code(), advice(), String.valueOf(getMessage()), this);
    }
}
