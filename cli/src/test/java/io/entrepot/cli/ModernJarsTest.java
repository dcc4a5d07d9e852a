package io.entrepot.cli;

import static java.lang.constant.ConstantDescs.CD_int;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModernJarsTest {
    @TempDir
    Path dir;

    @Test
    void modernise_whenClassIsOld_givesItAStackMapAndKeepsItsMeaning() throws Exception {
        var jar = jar(ClassFile.JAVA_5_VERSION);

        ModernJars.main(new String[]{jar.toString()});

        assertThat(version(jar)).isEqualTo(ClassFile.JAVA_8_VERSION);
        assertThat(call(jar, 5)).isEqualTo(5);
        assertThat(call(jar, -5)).isEqualTo(5);
        try (var zip = new ZipFile(jar.toFile())) {
            assertThat(zip.getInputStream(zip.getEntry("note.txt")).readAllBytes()).asString().isEqualTo("kept");
        }
    }

    @Test
    void modernise_whenClassesAreNew_leavesTheJarAlone() throws Exception {
        var jar = jar(ClassFile.JAVA_6_VERSION);
        var before = Files.getLastModifiedTime(jar);

        ModernJars.modernise(jar);

        assertThat(version(jar)).isEqualTo(ClassFile.JAVA_6_VERSION);
        assertThat(Files.getLastModifiedTime(jar)).isEqualTo(before);
    }

    /** A jar with a class whose method has a branch (it returns the absolute value), and a file that is no class. */
    private Path jar(int version) throws IOException {
        var bytes = ClassFile.of(StackMapsOption.DROP_STACK_MAPS).build(ClassDesc.of("Old"),
                type -> type.withVersion(version, 0)
                        .withMethodBody("abs", MethodTypeDesc.of(CD_int, CD_int),
                                ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                                code -> code.iload(0)
                                        .ifThen(Opcode.IFLT, then -> then.iload(0).ineg().ireturn())
                                        .iload(0).ireturn()));
        var jar = dir.resolve("old.jar");
        try (var out = new ZipOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry("Old.class"));
            out.write(bytes);
            out.putNextEntry(new ZipEntry("note.txt"));
            out.write("kept".getBytes(StandardCharsets.UTF_8));
        }
        return jar;
    }

    private static int version(Path jar) throws IOException {
        try (var zip = new ZipFile(jar.toFile())) {
            return ClassFile.of().parse(zip.getInputStream(zip.getEntry("Old.class")).readAllBytes()).majorVersion();
        }
    }

    private static int call(Path jar, int argument) throws Exception {
        try (var loader = new URLClassLoader(new URL[]{jar.toUri().toURL()}, null)) {
            return (int) loader.loadClass("Old").getMethod("abs", int.class).invoke(null, argument);
        }
    }
}
