package io.entrepot.server.json;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a value is answered as a JSON object: its fields, what they mean and where they come from. The description is made from
 * this as well, so that the two cannot differ. Immutable.
 */
public final class Answer<T> implements Form {
    private final String name;
    private final List<Part<T>> parts;

    private record Part<T>(Field field, Function<T, ?> value) {}

    private Answer(String name, List<Part<T>> parts) {
        this.name = name;
        this.parts = List.copyOf(parts);
    }

    public static <T> Answer<T> named(String name) {
        return new Answer<>(name, List.of());
    }

    /** A field that is always there. */
    public Answer<T> with(String field, Type type, String meaning, Function<T, ?> value) {
        return plus(new Field(field, type, true, false, meaning), value);
    }

    /** A field that is left out where there is nothing to say: the value is an {@link Optional}. */
    public Answer<T> maybe(String field, Type type, String meaning, Function<T, ?> value) {
        return plus(new Field(field, type, false, false, meaning), value);
    }

    /** The same with all the fields of another, about a part of the value. */
    public <P> Answer<T> including(Answer<P> other, Function<T, P> part) {
        Answer<T> all = this;
        for (Part<P> each : other.parts) {
            all = all.plus(each.field, value -> each.value.apply(part.apply(value)));
        }
        return all;
    }

    private Answer<T> plus(Field field, Function<T, ?> value) {
        List<Part<T>> more = new ArrayList<>(parts);
        more.add(new Part<>(field, value));
        return new Answer<>(name, more);
    }

    /** An object with a list of these under that name. */
    public Answer<List<T>> listed(String listName, String field) {
        return Answer.<List<T>>named(listName).with(field, new Type.ListOf(type()), "In order.", all -> all);
    }

    public Type type() {
        return new Type.Of(this);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Field> fields() {
        return parts.stream().map(Part::field).toList();
    }

    /** As maps, lists, texts, numbers and booleans. */
    public Map<String, Object> of(T value) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (Part<T> part : parts) {
            Object plain = plain(part.field.type(), part.value.apply(value));
            if (plain != null) {
                object.put(part.field.name(), plain);
            }
        }
        return object;
    }

    private static @Nullable Object plain(Type type, @Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Optional<?> maybe -> maybe.isPresent() ? plain(type, maybe.get()) : null;
            case OptionalLong maybe -> maybe.isPresent() ? (Object) maybe.getAsLong() : null;
            default -> present(type, value);
        };
    }

    @SuppressWarnings("unchecked") // whoever names an answer for a field hands it what that answers
    private static @Nullable Object present(Type type, Object value) {
        return switch (type) {
            case Type.ListOf(Type each) -> ((Iterable<?>) value) instanceof List<?> list
                    ? list.stream().map(one -> plain(each, one)).toList()
                    : items(each, (Iterable<?>) value);
            case Type.MapOf(Type each) -> {
                Map<String, @Nullable Object> all = new LinkedHashMap<>();
                ((Map<?, ?>) value).forEach((key, one) -> all.put(text(key), plain(each, one)));
                yield all;
            }
            case Type.Of(Form form) -> ((Answer<Object>) form).of(value);
            case Type.Truth _,Type.Whole _,Type.Decimal _,Type.Free _ -> value;
            case Type.Text _,Type.Choice _ -> text(value);
        };
    }

    private static List<@Nullable Object> items(Type each, Iterable<?> values) {
        List<@Nullable Object> all = new ArrayList<>();
        values.forEach(one -> all.add(plain(each, one)));
        return all;
    }

    private static String text(Object value) {
        return switch (value) {
            case Enum<?> constant -> Words.of(constant);
            case Instant time -> time.toString();
            case Duration length -> length.toString();
            default -> value.toString();
        };
    }
}
