package io.lifeguard.examples.jaraudit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lifeguard.examples.jaraudit.JarReport.Comparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class JarAuditorTest {

    private static final String ZEROS = "0".repeat(40);

    @TempDir
    Path directory;

    private Path jar;

    @BeforeEach
    void jar() {
        jar = directory.resolve("a.jar");
    }

    @Test
    void audit_goodJar_knowsEverything() throws Exception {
        TestJars.goodWithChecksum(jar);
        JarReport report = audit();
        assertThat(report.isBad()).isFalse();
        assertThat(report.bytes()).isEqualTo(Files.size(jar));
        assertThat(report.sha1()).contains(TestJars.sha1(jar));
        assertThat(report.checksum()).isEqualTo(Comparison.SAME);
        assertThat(report.entries()).isEqualTo(TestJars.ENTRIES);
        assertThat(report.catalogue()).contains("about " + TestJars.sha1(jar));
    }

    @Test
    void audit_sameJarTwice_givesEqualReports() throws Exception {
        TestJars.truncate(TestJars.goodWithChecksum(jar));
        assertThat(audit()).isEqualTo(audit());
    }

    @Test
    void audit_noChecksumFile_isNotBad() throws Exception {
        TestJars.good(jar);
        JarReport report = audit();
        assertThat(report.isBad()).isFalse();
        assertThat(report.checksum()).isEqualTo(Comparison.NO_CHECKSUM);
    }

    @Test
    void audit_wrongChecksum_isBad() throws Exception {
        TestJars.checksum(TestJars.good(jar), ZEROS + "  a.jar\n");
        JarReport report = audit();
        assertThat(report.checksum()).isEqualTo(Comparison.DIFFERENT);
        assertThat(report.problems())
                .containsExactly("SHA-1 is " + TestJars.sha1(jar) + ", but the .sha1 file says " + ZEROS);
    }

    @Test
    void audit_uselessChecksumFile_isBad() throws Exception {
        TestJars.checksum(TestJars.good(jar), "soon");
        JarReport report = audit();
        assertThat(report.checksum()).isEqualTo(Comparison.UNKNOWN);
        assertThat(report.problems()).containsExactly("its .sha1 file: holds no SHA-1 but \"soon\"");
    }

    @Test
    void audit_truncatedJarWithItsOldChecksum_hasBothProblems() throws Exception {
        TestJars.truncate(TestJars.goodWithChecksum(jar));
        assertThat(audit().problems()).hasSize(2);
    }

    @Test
    void audit_missingJar_isUnreadable() throws Exception {
        assertThat(audit().problems()).containsExactly("unreadable: no such file");
    }

    @Test
    void audit_danglingLink_isUnreadable() throws Exception {
        Files.createSymbolicLink(jar, directory.resolve("nowhere"));
        assertThat(audit().problems()).containsExactly("unreadable: a symbolic link that leads nowhere");
    }

    @Test
    void audit_circularLink_isUnreadable() throws Exception {
        Files.createSymbolicLink(jar, jar);
        assertThat(audit().problems()).containsExactly("unreadable: a symbolic link that leads nowhere");
    }

    @Test
    void audit_directory_isUnreadable() throws Exception {
        Files.createDirectory(jar);
        assertThat(audit().problems()).containsExactly("unreadable: not a file");
    }

    @Test
    @Timeout(30)
    void audit_namedPipe_isNotOpened() throws Exception {
        assumeTrue(makePipe(jar), "no named pipes here");
        assertThat(audit().problems()).containsExactly("unreadable: not a file");
    }

    @Test
    void audit_noPermission_isUnreadable() throws Exception {
        TestJars.good(jar);
        Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(jar), "this user may read everything");
        assertThat(audit().problems()).containsExactly("unreadable: permission denied");
    }

    @Test
    void audit_silentCatalogue_isNotTheJarsFault() throws Exception {
        TestJars.good(jar);
        JarReport report = audit(sha1 -> {
            throw new IOException("connection refused");
        });
        assertThat(report.isBad()).isFalse();
        assertThat(report.lacksCatalogue()).isTrue();
    }

    @Test
    void audit_unforeseenFailure_isReported() throws Exception {
        TestJars.good(jar);
        JarReport report = audit(sha1 -> {
            throw new IllegalStateException("surprise");
        });
        assertThat(report.problems()).containsExactly("unreadable: java.lang.IllegalStateException: surprise");
    }

    @Test
    void audit_interruptedWhileHashing_throws() throws Exception {
        TestJars.good(jar);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(this::audit);
        assertThat(Thread.interrupted()).isFalse();
    }

    private JarReport audit() throws InterruptedException {
        return audit(sha1 -> "about " + sha1);
    }

    private JarReport audit(Catalogue catalogue) throws InterruptedException {
        return new JarAuditor(catalogue, InflationLimits.DEFAULT).audit(new Jar(jar, "a.jar"));
    }

    private static boolean makePipe(Path path) throws InterruptedException {
        try {
            return new ProcessBuilder("mkfifo", path.toString()).start().waitFor() == 0;
        } catch (IOException noSuchCommand) {
            return false;
        }
    }
}
