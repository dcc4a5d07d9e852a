package io.entrepot.pool.contract;

import io.entrepot.pool.FileInfo;
import io.entrepot.pool.TenantId;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What the one volume of a test's pool has, looked at and changed behind the pool's back. */
interface Storage {

    /** Below the tenant's directory, whole or not. */
    List<Path> blobs(TenantId tenant) throws IOException;

    byte[] bytes(FileInfo file) throws IOException;

    void change(FileInfo file, String content) throws IOException;

    void remove(FileInfo file) throws IOException;

    /** Of what is being written. */
    List<Path> begun() throws IOException;

    /** More than anybody knows of. */
    void addToBegun(String more) throws IOException;

    /** A directory. */
    record InDirectory(Path root) implements Storage {

        @Override
        public List<Path> blobs(TenantId tenant) throws IOException {
            List<Path> files = new ArrayList<>();
            Path below = root.resolve(tenant.name());
            if (Files.exists(below)) {
                Files.walkFileTree(below, new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        files.add(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException e) {
                        return FileVisitResult.CONTINUE; // gone by now
                    }
                });
            }
            return files;
        }

        private static Path path(FileInfo file) {
            return file.path().orElseThrow();
        }

        @Override
        public byte[] bytes(FileInfo file) throws IOException {
            return Files.readAllBytes(path(file));
        }

        @Override
        public void change(FileInfo file, String content) throws IOException {
            Files.writeString(path(file), content);
        }

        @Override
        public void remove(FileInfo file) throws IOException {
            Files.delete(path(file));
        }

        @Override
        public List<Path> begun() throws IOException {
            try (Stream<Path> files = Files.list(root.resolve(".entrepot/incoming"))) {
                return files.toList();
            }
        }

        @Override
        public void addToBegun(String more) throws IOException {
            Files.writeString(begun().getFirst(), more, StandardOpenOption.APPEND);
        }
    }
}
