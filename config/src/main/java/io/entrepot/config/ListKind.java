package io.entrepot.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

final class ListKind<T> extends Kind<List<T>> {
    private final Kind<T> element;

    ListKind(Kind<T> element) {
        this.element = element;
    }

    @Override
    public String description() {
        return "a list, each " + element.description();
    }

    @Override
    public boolean isSecret() {
        return element.isSecret();
    }

    @Override
    List<T> read(Object raw, Path directory) throws Unfit {
        if (!(raw instanceof List<?> list)) {
            throw new Unfit("is not " + description(), "write it in square brackets: [" + Written.shown(raw) + "]");
        }
        List<T> read = new ArrayList<>();
        for (Object one : list) {
            try {
                read.add(element.read(one, directory));
            } catch (Unfit e) {
                String which = isSecret() ? "" : ", " + Written.shown(one) + ",";
                throw new Unfit("has an entry that does not fit: number " + (read.size() + 1) + which + " "
                        + e.problem(), e.suggestion());
            }
        }
        return List.copyOf(read);
    }

    @Override
    Object write(List<T> value) {
        return value.stream().map(element::write).toList();
    }
}
