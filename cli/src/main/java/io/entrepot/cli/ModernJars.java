package io.entrepot.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Gives the classes of old jars a newer class file version, with the stack maps that go with it. The JVM keeps no class
 * from before Java 6 in its AOT cache and verifies it the slow way; picocli is compiled for Java 5, and that was half
 * of the time a command took to start (see {@code docs/decisions/}). The launcher runs this on its own copies of the jars.
 */
final class ModernJars {
    private static final ClassFile CLASSES = ClassFile.of(StackMapsOption.GENERATE_STACK_MAPS,
            ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(ClassLoader.getSystemClassLoader())
                    .orElse(ClassHierarchyResolver.defaultResolver())));

    private ModernJars() {}

    /** The arguments are jars, all of them also on the class path; those without old classes are left alone. */
    public static void main(String[] jars) throws IOException {
        for (var jar : jars) {
            modernise(Path.of(jar));
        }
    }

    static void modernise(Path jar) throws IOException {
        if (!hasOldClass(jar)) {
            return;
        }
        var next = jar.resolveSibling(jar.getFileName() + ".next");
        try (var in = new ZipFile(jar.toFile()); var out = new ZipOutputStream(Files.newOutputStream(next))) {
            copy(in, out);
        }
        Files.move(next, jar, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void copy(ZipFile in, ZipOutputStream out) throws IOException {
        for (var entry : Collections.list(in.entries())) {
            out.putNextEntry(new ZipEntry(entry.getName()));
            writeEntry(in.getInputStream(entry).readAllBytes(), out);
            out.closeEntry();
        }
    }

    private static void writeEntry(byte[] bytes, OutputStream out) throws IOException {
        out.write(isOldClass(bytes) ? modern(bytes) : bytes);
    }

    private static boolean hasOldClass(Path jar) throws IOException {
        try (var zip = new ZipFile(jar.toFile())) {
            for (var entry : Collections.list(zip.entries())) {
                try (var in = zip.getInputStream(entry)) {
                    if (isOldClass(in.readNBytes(8))) {
                        return true;
                    }
                }
            }
            return false;
        }
    }

    private static boolean isOldClass(byte[] bytes) {
        return bytes.length >= 8 && ByteBuffer.wrap(bytes).getInt() == ClassFile.MAGIC_NUMBER
                && ByteBuffer.wrap(bytes).getShort(6) < ClassFile.JAVA_6_VERSION;
    }

    /** Sending every instruction through a transform is what makes the stack maps be computed. */
    private static byte[] modern(byte[] bytes) {
        var version = ClassFileVersion.of(ClassFile.JAVA_8_VERSION, 0);
        return CLASSES.transformClass(CLASSES.parse(bytes), ClassTransform
                .transformingMethodBodies(CodeTransform.ACCEPT_ALL)
                .andThen((builder, element) -> builder.with(element instanceof ClassFileVersion ? version : element)));
    }
}
