package io.entrepot.pool.internal;

import io.entrepot.pool.InvalidNameException;
import io.entrepot.pool.Labels;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.BlobPath;
import io.entrepot.queue.NewItem;
import java.util.Optional;
import java.util.OptionalLong;

/** What was said of a file, checked: its names can be stored, and the file can carry them. */
record CheckedFile(Optional<String> name, LogicalDirectory directory, Labels labels, NewFile file,
        Optional<ImportSource> source) {

    private static final int LONGEST_NAME = 255;
    private static final Sha256 NO_SHA = new Sha256(new byte[Sha256.LENGTH]);

    static CheckedFile of(NewFile file) {
        file.name().ifPresent(name -> {
            if (name.isEmpty() || name.length() > LONGEST_NAME || name.equals(".") || name.equals("..")
                    || name.contains("/") || !isText(name)) {
                throw new InvalidNameException("\"" + name.codePoints().limit(80).collect(StringBuilder::new,
                        StringBuilder::appendCodePoint, StringBuilder::append) + "\" is not a file name: 1 to "
                        + LONGEST_NAME + " characters, without slashes and control characters");
            }
        });
        if (Math.abs(file.priority()) > NewItem.HIGHEST_PRIORITY) {
            throw new InvalidNameException("a priority is from " + -NewItem.HIGHEST_PRIORITY + " to "
                    + NewItem.HIGHEST_PRIORITY + ": " + file.priority());
        }
        if (!file.source().map(CheckedFile::isText).orElse(true)
                || !file.labels().values().stream().allMatch(CheckedFile::isText) || !isText(file.directory())) {
            throw new InvalidNameException(
                    "a directory, a label or a source is not a text: it has control characters or"
                            + " halves of characters");
        }
        CheckedFile checked = new CheckedFile(file.name(), LogicalDirectory.of(file.directory()),
                Labels.of(file.labels()),
                file, Optional.empty());
        int length = checked.longest();
        if (length > Backend.LONGEST_DESCRIPTION && file.modified().isPresent()) {
            return of(untimed(file));
        }
        if (length > Backend.LONGEST_DESCRIPTION) {
            throw new InvalidNameException("name, directory, labels and source together have " + length
                    + " bytes, and a file can carry " + Backend.LONGEST_DESCRIPTION);
        }
        return checked;
    }

    /** So many bytes the file has to carry at most. */
    private int longest() {
        return new Description(Long.MAX_VALUE, NO_SHA, Long.MAX_VALUE, modified(), 1, name, directory,
                LabelText.of(labels), file.source()).encode("").length;
    }

    /** No file is refused for the sake of a time that its writer may not even have said. */
    private static NewFile untimed(NewFile file) {
        return new NewFile(file.name(), file.directory(), file.priority(), file.availableAt(), file.idempotencyKey(),
                file.labels(), file.size(), file.source(), Optional.empty());
    }

    OptionalLong modified() {
        return file.modified().map(time -> OptionalLong.of(time.toEpochMilli())).orElse(OptionalLong.empty());
    }

    /** Something that comes back from a database as it went in: without control characters and halves of characters. */
    static boolean isText(String text) {
        return text.codePoints()
                .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
    }

    CheckedFile from(Optional<ImportSource> imported) {
        return new CheckedFile(name, directory, labels, file, imported);
    }

    /** Whether somebody else may bring the same, and be told that it is there. */
    boolean mayBeRepeated() {
        return file.idempotencyKey().isPresent() || source.isPresent();
    }

    String extension() {
        return name.map(BlobPath::extensionOf).orElse("");
    }

    /** What the stored file carries of itself. */
    Description description(FileRow row) {
        return new Description(row.size(), row.sha(), row.created(), row.modified(), row.priority(), row.name(),
                directory,
                row.labels(),
                row.source());
    }
}
