package io.entrepot.server.http;

import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.ProblemException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A {@code multipart/form-data} body, part by part as it comes: nothing of it is kept but a buffer. A part is a stream that ends
 * where the next boundary begins, and must be read, or is skipped, before the next one is asked for.
 *
 * <p>The boundary is looked for in a window: bytes are handed out only as far as no boundary can begin among them. For one
 * thread.
 */
public final class Multipart {
    private static final Pattern BOUNDARY = Pattern.compile("boundary=(?:\"([^\"]{1,70})\"|([^;\\s\"]{1,70}))",
            Pattern.CASE_INSENSITIVE);
    /** Possessive, and characters before alternatives: otherwise Java goes one call deeper for each character of a name. */
    private static final Pattern PARAMETER = Pattern.compile(
            ";\\s*(name|filename)=(?:\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"|([^;\\s]+))",
            Pattern.CASE_INSENSITIVE);
    private static final int WINDOW = 64 << 10;
    private static final int LARGEST_HEADER = 8 << 10;
    private static final int LARGEST_FIELD = 64 << 10;

    private final InputStream in;
    /** Line end, two dashes and the boundary. */
    private final byte[] delimiter;
    private final byte[] window = new byte[WINDOW];
    private int next;
    private int end;
    private boolean exhausted;
    private Optional<Part> current = Optional.empty();

    /** One part: a field, or a file. */
    public final class Part extends InputStream {
        private final String name;
        private final Optional<String> file;
        private boolean over;

        private Part(String name, Optional<String> file) {
            this.name = name;
            this.file = file;
        }

        public String name() {
            return name;
        }

        public Optional<String> file() {
            return file;
        }

        /** Of a part that is no file. */
        public String text() throws IOException {
            byte[] bytes = readNBytes(LARGEST_FIELD + 1);
            if (bytes.length > LARGEST_FIELD) {
                throw broken("the field \"" + name + "\" is longer than " + LARGEST_FIELD + " bytes");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (over) {
                return -1;
            }
            int some = plain();
            if (some == 0) {
                over = true;
                return -1;
            }
            int n = Math.min(some, length);
            System.arraycopy(window, next, into, offset, n);
            next += n;
            return n;
        }
    }

    private Multipart(InputStream in, String boundary) {
        this.in = in;
        this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
        // The first boundary has no line end before it: one is put there, so that all are alike.
        window[0] = '\r';
        window[1] = '\n';
        end = 2;
        current = Optional.of(new Part("what comes before the first", Optional.empty()));
    }

    /** @param contentType with the boundary */
    public static Multipart of(InputStream in, String contentType) {
        Matcher matcher = BOUNDARY.matcher(contentType);
        if (!matcher.find()) {
            throw broken("the content type has no boundary");
        }
        return new Multipart(in, matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
    }

    /** The next part; nothing after the last. What is left of the one before is skipped. */
    public Optional<Part> next() throws IOException {
        if (current.isPresent()) {
            current.get().transferTo(OutputStream.nullOutputStream());
        }
        next += delimiter.length;
        String line = line();
        if (line.startsWith("--")) {
            return Optional.empty();
        }
        if (!line.isBlank()) {
            throw broken("there is something behind a boundary");
        }
        Map<String, String> headers = headers();
        current = Optional.of(part(headers.getOrDefault("content-disposition", "")));
        return current;
    }

    private Part part(String disposition) {
        Map<String, String> parameters = new HashMap<>();
        Matcher matcher = PARAMETER.matcher(disposition);
        while (matcher.find()) {
            String value = matcher.group(2) == null ? matcher.group(3) : matcher.group(2).replaceAll("\\\\(.)", "$1");
            parameters.putIfAbsent(matcher.group(1).toLowerCase(Locale.ROOT), value);
        }
        String name = parameters.get("name");
        if (!disposition.toLowerCase(Locale.ROOT).startsWith("form-data") || name == null) {
            throw broken("a part has no \"Content-Disposition: form-data; name=…\"");
        }
        return new Part(name, Optional.ofNullable(parameters.get("filename")));
    }

    private Map<String, String> headers() throws IOException {
        Map<String, String> headers = new HashMap<>();
        int size = 0;
        for (String line = line(); !line.isEmpty(); line = line()) {
            size += line.length();
            int colon = line.indexOf(':');
            if (colon < 0 || size > LARGEST_HEADER) {
                throw broken("the head of a part is too long, or none");
            }
            headers.put(line.substring(0, colon).strip().toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
        }
        return headers;
    }

    private String line() throws IOException {
        while (true) {
            for (int i = next; i < end - 1; i++) {
                if (window[i] == '\r' && window[i + 1] == '\n') {
                    String line = new String(window, next, i - next, StandardCharsets.UTF_8);
                    next = i + 2;
                    return line;
                }
            }
            if (end - next > LARGEST_HEADER) {
                throw broken("the head of a part is too long");
            }
            if (exhausted) {
                // The last boundary may have nothing behind it.
                String rest = new String(window, next, end - next, StandardCharsets.UTF_8);
                if (rest.startsWith("--")) {
                    next = end;
                    return rest;
                }
                throw new EOFException("the form ended early");
            }
            fill();
        }
    }

    /** How many bytes from here on belong to the part for sure; 0 if the boundary is next. */
    private int plain() throws IOException {
        while (true) {
            for (int i = next; i <= end - delimiter.length; i++) {
                if (isDelimiter(i)) {
                    return i - next;
                }
            }
            int sure = end - next - delimiter.length + 1;
            if (sure > 0) {
                return sure;
            }
            if (exhausted) {
                throw new EOFException("the form ended early");
            }
            fill();
        }
    }

    private boolean isDelimiter(int at) {
        for (int i = 0; i < delimiter.length; i++) {
            if (window[at + i] != delimiter[i]) {
                return false;
            }
        }
        return true;
    }

    private void fill() throws IOException {
        System.arraycopy(window, next, window, 0, end - next);
        end -= next;
        next = 0;
        int n = in.read(window, end, window.length - end);
        if (n < 0) {
            exhausted = true;
        } else {
            end += n;
        }
    }

    private static ProblemException broken(String what) {
        return new ProblemException(Code.BROKEN_FORM, "the form cannot be read: " + what);
    }
}
