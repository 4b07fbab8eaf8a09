package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What another JVM and the file of its library say about the danger of a dump of its virtual threads. */
class VirtualDumpHazardTest {

    private static final int PART = 1 << 20; // of the library that is read at once

    @TempDir
    private Path proc;

    private void map(byte[] library) throws Exception {
        Path file = proc.resolve("root/opt/jdk/lib/server/libjvm.so");
        Files.createDirectories(file.getParent());
        Files.write(file, library);
        Files.writeString(
                proc.resolve("maps"),
                "7f00-7f01 r--p 00000000 08:01 17    /opt/jdk/lib/libjava.so\n"
                        + "7f01-7f02 r-xp 00000000 08:01 18    /opt/jdk/lib/server/libjvm.so\n");
    }

    private static String answer(String version) {
        return "OpenJDK 64-Bit Server VM version " + version + "\nJDK " + version + "\n";
    }

    private static byte[] libraryWithMarkAt(int position) {
        byte[] mark = "\0VThreadTransition_lock\0".getBytes(StandardCharsets.ISO_8859_1);
        byte[] library = new byte[3 * PART];
        System.arraycopy(mark, 0, library, position, mark.length);
        return library;
    }

    @ParameterizedTest
    @CsvSource({"0", "1048570", "1048554", "2097140", "3145000"})
    void of_libraryHasTheRepair_isSafe(int position) throws Exception {
        map(libraryWithMarkAt(position));
        assertThat(VirtualDumpHazard.of(answer("27+20"), proc)).isEmpty();
    }

    @Test
    void of_libraryWithoutTheRepair_namesReleaseAndDefect() throws Exception {
        map(new byte[3 * PART]);
        assertThat(VirtualDumpHazard.of(answer("25.0.3+9-LTS"), proc)).contains("25.0.3", "JDK-8364343");
    }

    @Test
    void of_noLibraryIsFound_countsAsNotRepaired() {
        assertThat(VirtualDumpHazard.of(answer("27+20"), proc)).contains("27", "JDK-8364343");
    }

    @Test
    void of_writtenInJava_isSafe() {
        assertThat(VirtualDumpHazard.of(answer("21.0.8+9-LTS"), proc)).isEmpty();
    }

    @Test
    void of_answerIsNotUnderstood_isNotKnownToBeSafe() {
        assertThat(VirtualDumpHazard.of("", proc)).contains("not known");
        assertThat(VirtualDumpHazard.of(answer("twenty"), proc)).contains("twenty", "not known");
    }

    /** The library of the JVM that runs this test has the repair if the JVM says so by its classes. */
    @Test
    void hasMark_libraryOfThisJvm_agreesWithItsClasses() throws Exception {
        Path library = Path.of(System.getProperty("java.home"), "lib", "server", "libjvm.so");
        boolean hasMethod;
        try {
            hasMethod = Class.forName("java.lang.VirtualThread").getDeclaredMethod("startTransition", boolean.class)
                    != null;
        } catch (ReflectiveOperationException e) { // before Java 27, or before Java 21
            hasMethod = false;
        }
        assertThat(VirtualDumpHazard.hasMark(library)).isEqualTo(Files.exists(library) && hasMethod);
    }
}
