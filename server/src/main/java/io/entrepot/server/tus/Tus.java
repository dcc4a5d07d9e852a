package io.entrepot.server.tus;

import io.javalin.http.Context;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The words of the protocol: tus 1.0.0, as it is written at tus.io. */
final class Tus {
    static final String VERSION = "1.0.0";
    static final String EXTENSIONS = "creation,creation-with-upload,creation-defer-length,termination,expiration,"
            + "checksum";
    static final String PIECE = "application/offset+octet-stream";
    static final String RESUMABLE = "Tus-Resumable";
    static final String MAX_SIZE = "Tus-Max-Size";
    static final String OFFSET = "Upload-Offset";
    static final String LENGTH = "Upload-Length";
    static final String DEFER = "Upload-Defer-Length";
    static final String METADATA = "Upload-Metadata";
    static final String CHECKSUM = "Upload-Checksum";
    static final String CONCAT = "Upload-Concat";
    static final String EXPIRES = "Upload-Expires";
    static final String OVERRIDE = "X-HTTP-Method-Override";
    /** Not of the protocol: the file that an upload has come to. */
    static final String FILE_KEY = "Entrepot-File-Key";

    private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.RFC_1123_DATE_TIME.withZone(ZoneOffset.UTC);

    private Tus() {}

    static void expires(Context http, Instant at) {
        http.header(EXPIRES, HTTP_DATE.format(at));
    }
}
