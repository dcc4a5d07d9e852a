package io.entrepot.server.json;

import java.util.List;

/** A JSON object with a name, for the description. */
public interface Form {

    String name();

    List<Field> fields();

    /**
     * One of its fields.
     *
     * @param required it is always there
     * @param nullable it may be null, which says something else than leaving it out
     */
    record Field(String name, Type type, boolean required, boolean nullable, String meaning) {}
}
