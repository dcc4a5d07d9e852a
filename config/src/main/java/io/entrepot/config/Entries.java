package io.entrepot.config;

import java.util.ArrayList;
import java.util.List;

/**
 * An array of tables: {@code [[volume]]}.
 *
 * @param distinct settings of which no two entries may have the same value
 * @param effect   when a change of them counts, whatever the settings in them say
 */
public record Entries<T>(Section<T> each, List<Setting<?>> distinct, Effect effect) implements Part<List<T>> {

    public Entries {
        distinct = List.copyOf(distinct);
        if (!each.parts().containsAll(distinct)) {
            throw new IllegalArgumentException("[[" + each.name() + "]] has not all of " + distinct);
        }
    }

    @Override
    public String name() {
        return each.name();
    }

    public Entries<T> distinctBy(Setting<?> setting) {
        List<Setting<?>> all = new ArrayList<>(distinct);
        all.add(setting);
        return new Entries<>(each, all, effect);
    }

    /** What is named here is made if it is not there, and never changed. */
    public Entries<T> once() {
        return new Entries<>(each, distinct, Effect.ONCE);
    }
}
