package io.entrepot.posix.internal.nio;

import io.entrepot.posix.internal.Escapes;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Between bytes and Java's paths. On Unix a path keeps its bytes, but shows them only as text, decoded with loss; its URI
 * has all of them, so that is the way for names which are no text in the encoding of the platform.
 */
public final class NioNames {
    /** What Java decodes file names with. */
    private static final Charset PLATFORM = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"),
            StandardCharsets.UTF_8);
    private static final boolean SLASHES = FileSystems.getDefault().getSeparator().equals("/");
    private static final boolean EXACT = SLASHES && urisKeepBytes();

    private NioNames() {}

    /** Whether any bytes can be a path, and be had back. */
    static boolean exact() {
        return EXACT;
    }

    public static byte[] bytes(Path path) {
        return bytes(path, path);
    }

    /** @param whole the path that the other one is the end of: what is relative has no URI of its own */
    static byte[] bytes(Path path, Path whole) {
        String text = path.toString();
        if (!SLASHES) {
            return Escapes.encode(text.replace(path.getFileSystem().getSeparator(), "/"));
        }
        // What was decoded with loss is not the same path when it is encoded again.
        byte[] encoded = encode(text);
        if (!EXACT || path(encoded, text).equals(path)) {
            return encoded;
        }
        byte[] absolute = uriBytes(whole.toAbsolutePath().toUri());
        return path.isAbsolute() ? absolute : lastNames(absolute, path.getNameCount());
    }

    public static Path path(byte[] bytes) {
        if (!SLASHES) {
            return Path.of(new String(bytes, StandardCharsets.UTF_8));
        }
        try {
            String text = PLATFORM.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            if (!EXACT || Arrays.equals(encode(text), bytes)) {
                return path(bytes, text);
            }
        } catch (CharacterCodingException e) {
            if (!EXACT) {
                return Path.of(new String(bytes, PLATFORM));
            }
        }
        return ofUri(bytes);
    }

    private static Path path(byte[] bytes, String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            return ofUri(bytes);
        }
    }

    private static byte[] encode(String text) {
        return text.getBytes(PLATFORM);
    }

    private static Path ofUri(byte[] bytes) {
        boolean absolute = bytes.length > 0 && bytes[0] == '/';
        StringBuilder uri = new StringBuilder(absolute ? "file://" : "file:///");
        for (byte b : bytes) {
            if (b == '/') {
                uri.append('/');
            } else {
                uri.append('%').append(Character.forDigit(b >> 4 & 0xf, 16)).append(Character.forDigit(b & 0xf, 16));
            }
        }
        Path path = Path.of(URI.create(uri.toString()));
        return absolute ? path : path.subpath(0, path.getNameCount());
    }

    private static byte[] uriBytes(URI uri) {
        String raw = uri.getRawPath();
        byte[] bytes = new byte[raw.length()];
        int length = 0;
        for (int i = 0; i < raw.length(); i++) {
            if (raw.charAt(i) == '%') {
                bytes[length++] = (byte) Integer.parseInt(raw, i + 1, i + 3, 16);
                i += 2;
            } else {
                bytes[length++] = (byte) raw.charAt(i);
            }
        }
        // Directories end with a slash.
        return Arrays.copyOf(bytes, length > 1 && bytes[length - 1] == '/' ? length - 1 : length);
    }

    private static byte[] lastNames(byte[] absolute, int count) {
        int from = absolute.length;
        for (int left = count; from > 0; from--) {
            if (absolute[from - 1] == '/' && --left == 0) {
                break;
            }
        }
        return Arrays.copyOfRange(absolute, from, absolute.length);
    }

    private static boolean urisKeepBytes() {
        try {
            byte[] odd = {'/', (byte) 0xff, 'a', (byte) 0xc3};
            return System.getProperty("os.name", "").equals("Linux")
                    && Arrays.equals(uriBytes(ofUri(odd).toUri()), odd);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
