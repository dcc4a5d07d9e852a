package io.entrepot.server.reload;

import io.entrepot.config.Difference;
import io.entrepot.config.Effect;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Type;
import java.util.ArrayList;
import java.util.List;

/**
 * What came of reading the configuration again.
 *
 * @param changed what counts from now on
 * @param waiting what was written and does not count yet
 */
public record Reloaded(List<Difference> changed, List<Difference> waiting) {
    private static final Answer<Difference> SETTING = Answer.<Difference>named("ChangedSetting")
            .with("setting", Type.TEXT, "Its key.", Difference::key)
            .with("from", Type.TEXT, "What it was, or is: as in a file, secrets masked; empty if it was not set.",
                    Difference::from)
            .with("to", Type.TEXT, "What it is, or will be.", Difference::to)
            .with("needs", Type.choice(Effect.class),
                    "What a change of it needs: `reload`, `restart`, or `once` for what is"
                            + " read only when something is made.",
                    Difference::effect);
    public static final Answer<Reloaded> ANSWER = Answer.<Reloaded>named("Reloaded")
            .with("changed", new Type.ListOf(SETTING.type()), "What counts from now on.", Reloaded::changed)
            .with("waiting", new Type.ListOf(SETTING.type()), "What is written otherwise and does not count before the"
                    + " server is started again: it runs with `from`.", Reloaded::waiting);

    public Reloaded {
        changed = List.copyOf(changed);
        waiting = List.copyOf(waiting);
    }

    /** With one more that counts. */
    public Reloaded and(Difference difference) {
        List<Difference> more = new ArrayList<>(changed);
        more.add(difference);
        return new Reloaded(more, waiting);
    }
}
