package io.entrepot.pool.internal;

/** The body of an event: a flat JSON object, written by hand as it is written for every file. */
public final class Body {
    private final StringBuilder text = new StringBuilder("{");

    public Body with(String name, long value) {
        name(name).append(value);
        return this;
    }

    public Body with(String name, String value) {
        quote(name(name), value);
        return this;
    }

    private StringBuilder name(String name) {
        return text.append(text.length() == 1 ? "\"" : ",\"").append(name).append("\":");
    }

    private static void quote(StringBuilder to, String value) {
        to.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                to.append('\\').append(c);
            } else if (c < 0x20) {
                to.append("\\u00").append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            } else {
                to.append(c);
            }
        }
        to.append('"');
    }

    @Override
    public String toString() {
        return text + "}";
    }
}
