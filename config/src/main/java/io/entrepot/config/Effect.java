package io.entrepot.config;

import java.util.Locale;

/** When a change of a setting counts. */
public enum Effect {
    /** When the program is started again. */
    RESTART,
    /** When it is told to read its configuration again, while it runs. */
    RELOAD,
    /** Only when what it is about is made; what is there already is changed by other means. */
    ONCE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
