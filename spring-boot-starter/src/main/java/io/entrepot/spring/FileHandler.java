package io.entrepot.spring;

import io.entrepot.pool.process.GiveUpException;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a bean that is handed files, each to one caller at a time, over all processes.
 *
 * <pre>{@code
 * @FileHandler(tenant = "${invoices.tenant}", concurrency = 8)
 * void book(FileInfo file, InputStream content) throws IOException { … }
 * }</pre>
 *
 * <p>It returns nothing, and takes any of: {@code FileTask}, {@code FileInfo}, {@code TenantId}, {@code FileKey}, and one of {@code
 * FileContent}, {@code InputStream} and {@code byte[]}. What is given to it is closed when it returns. Streams and arrays are compared
 * with the checksum; what a stream has brought is certain only when it has ended.
 *
 * <p>If it returns, the file is completed; if it throws, the file is failed with the exception's message and tried again by the
 * tenant's rule, unless it is a {@link GiveUpException}. Called by many threads at once. A file may be handled more than once,
 * if a process dies or a lease is lost; one outcome counts.
 *
 * <p>Texts may have placeholders, as {@code ${…}}. What is not said here is set under {@code entrepot.worker}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface FileHandler {

    /** Whose files; several in one text with commas between them. {@code entrepot.tenant} if none. */
    String[] tenant() default {};

    /** How many at once. */
    int concurrency() default 0;

    /** The same as a text, for placeholders; not both. */
    String concurrencyString() default "";

    /** The worker's name, for people. */
    String worker() default "";

    /** How long a lease lasts without renewal, as {@code 90s} or {@code PT1M30S}. */
    String term() default "";

    /** Completed files are kept until cleanup removes them. */
    boolean keep() default false;
}
