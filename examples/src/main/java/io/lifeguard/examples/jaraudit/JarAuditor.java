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
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Audits one jar after the other: hash, checksum, content, catalogue. Thread-safe. */
final class JarAuditor {

    private final Catalogue catalogue;
    private final InflationLimits limits;

    JarAuditor(Catalogue catalogue, InflationLimits limits) {
        this.catalogue = catalogue;
        this.limits = limits;
    }

    /** Returns all there is to say about a jar, good or bad. */
    JarReport audit(Jar jar) throws InterruptedException {
        try {
            // Asked first, because opening a named pipe would wait for a writer.
            if (!Files.readAttributes(jar.path(), BasicFileAttributes.class).isRegularFile()) {
                return JarReport.unreadable(jar, "not a file");
            }
            return auditFile(jar, hash(jar.path()));
        } catch (ClosedByInterruptException interrupted) {
            Thread.interrupted();
            throw new InterruptedException();
        } catch (IOException failure) {
            boolean dangling = Files.isSymbolicLink(jar.path()) && !(failure instanceof AccessDeniedException);
            return JarReport.unreadable(
                    jar, dangling ? "a symbolic link that leads nowhere" : Printable.reason(failure));
        } catch (RuntimeException unforeseen) {
            return JarReport.unreadable(jar, Printable.text(unforeseen.toString()));
        }
    }

    private JarReport auditFile(Jar jar, Hash hash) throws InterruptedException {
        List<String> problems = new ArrayList<>();
        Comparison checksum = Comparison.UNKNOWN;
        JarContent content = JarContent.NONE;
        if (hasSpeakableName(jar.path())) {
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

    /* ZipFile knows names only as text, and the name of the checksum file is made as text. */
    private static boolean hasSpeakableName(Path path) {
        try {
            return path.toFile().toPath().equals(path);
        } catch (InvalidPathException unspeakable) {
            return false;
        }
    }

    private static Hash hash(Path path) throws IOException {
        MessageDigest digest = sha1();
        byte[] buffer = new byte[64 * 1024];
        long bytes = 0;
        try (InputStream in = Files.newInputStream(path)) {
            for (int n; (n = in.read(buffer)) >= 0; bytes += n) {
                digest.update(buffer, 0, n);
            }
        }
        return new Hash(HexFormat.of().formatHex(digest.digest()), bytes);
    }

    private static MessageDigest sha1() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-1", impossible);
        }
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
        } catch (IOException failure) {
            problems.add("its .sha1 file: " + Printable.reason(failure));
            return Comparison.UNKNOWN;
        }
    }

    private Optional<String> lookUp(String sha1) throws InterruptedException {
        try {
            return Optional.of(catalogue.lookUp(sha1));
        } catch (IOException silent) {
            return Optional.empty();
        }
    }

    private record Hash(String sha1, long bytes) {}
}
