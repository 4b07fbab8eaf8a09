package io.lifeguard.examples.jaraudit;

import io.lifeguard.examples.jaraudit.JarReport.Comparison;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Audits a jar: computes its hash, compares the hash with the checksum file, reads the content and asks the catalogue.
 * A package of the JDK has no checksum file, so its files are only read and checked. Thread-safe.
 */
final class JarAuditor {

    private final Catalogue catalogue;
    private final InflationLimits limits;

    JarAuditor(Catalogue catalogue, InflationLimits limits) {
        this.catalogue = catalogue;
        this.limits = limits;
    }

    /** Returns the report about a jar, which may be good or bad. */
    JarReport audit(Jar jar) throws InterruptedException {
        try {
            if (JdkPackages.contains(jar.path())) {
                return auditPackage(jar);
            }
            // Checked first, because opening a named pipe would block until something writes to it.
            if (!Files.readAttributes(jar.path(), BasicFileAttributes.class).isRegularFile()) {
                return JarReport.unreadable(jar, "not a file");
            }
            return auditFile(jar, hash(jar.path()));
        } catch (ClosedByInterruptException e) {
            Thread.interrupted();
            throw new InterruptedException();
        } catch (IOException e) {
            boolean isDangling = Files.isSymbolicLink(jar.path()) && !(e instanceof AccessDeniedException);
            return JarReport.unreadable(jar, isDangling ? "a symbolic link that leads nowhere" : Printable.reason(e));
        } catch (RuntimeException e) {
            return JarReport.unreadable(jar, Printable.text(e.toString()));
        }
    }

    private JarReport auditPackage(Jar jar) throws IOException, InterruptedException {
        PackageContent content = PackageContent.read(jar.path());
        return new JarReport(
                jar,
                content.bytes(),
                Optional.of(content.sha1()),
                Comparison.NO_CHECKSUM,
                content.files(),
                content.bytes(),
                lookUp(content.sha1()),
                content.problems());
    }

    private JarReport auditFile(Jar jar, Hash hash) throws InterruptedException {
        List<String> problems = new ArrayList<>();
        Comparison checksum = Comparison.UNKNOWN;
        JarContent content = JarContent.NONE;
        if (hasEncodableName(jar.path())) {
            checksum = compare(jar.path(), hash.sha1(), problems);
            content = JarContent.read(jar.path(), hash.bytes(), limits);
            content.problem().ifPresent(problems::add);
        } else {
            problems.add(
                    "its name does not fit the encoding of this locale, so it was only hashed; try LC_ALL=C.UTF-8");
        }
        return new JarReport(
                jar,
                hash.bytes(),
                Optional.of(hash.sha1()),
                checksum,
                content.entries(),
                content.inflatedBytes(),
                lookUp(hash.sha1()),
                problems);
    }

    /* ZipFile takes the name as text, and the name of the checksum file is built as text. */
    private static boolean hasEncodableName(Path path) {
        try {
            return path.toFile().toPath().equals(path);
        } catch (InvalidPathException ignored) { // the name has no form as text
            return false;
        }
    }

    private static Hash hash(Path path) throws IOException {
        MessageDigest digest = Sha1.newDigest();
        byte[] buffer = new byte[64 * 1024];
        long bytes = 0;
        try (InputStream in = Files.newInputStream(path)) {
            for (int n; (n = in.read(buffer)) >= 0; bytes += n) {
                digest.update(buffer, 0, n);
            }
        }
        return new Hash(HexFormat.of().formatHex(digest.digest()), bytes);
    }

    private static Comparison compare(Path path, String sha1, List<String> problems) {
        try {
            Optional<String> expected = Checksum.beside(path);
            if (expected.isEmpty()) {
                return Comparison.NO_CHECKSUM;
            }
            if (expected.get().equals(sha1)) {
                return Comparison.SAME;
            }
            problems.add("SHA-1 is " + sha1 + ", but the .sha1 file says " + expected.get());
            return Comparison.DIFFERENT;
        } catch (IOException e) {
            problems.add("its .sha1 file: " + Printable.reason(e));
            return Comparison.UNKNOWN;
        }
    }

    private Optional<String> lookUp(String sha1) throws InterruptedException {
        try {
            return Optional.of(catalogue.lookUp(sha1));
        } catch (IOException ignored) { // the report says that the catalogue did not answer
            return Optional.empty();
        }
    }

    private record Hash(String sha1, long bytes) {}
}
