package io.lifeguard.examples.jaraudit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * The result of inflating every entry of a jar. Jars inside the jar are not opened. Immutable.
 *
 * @param entries the number of files in it
 * @param inflatedBytes their length in total
 * @param problem what is wrong with the jar, if anything
 */
record JarContent(int entries, long inflatedBytes, Optional<String> problem) {

    /** The content of a jar that was not inflated. */
    static final JarContent NONE = new JarContent(0, 0, Optional.empty());

    /** Inflates every entry, and compares its length and checksum with those in the directory of the jar. */
    static JarContent read(Path jar, long length, InflationLimits limits) throws InterruptedException {
        Reader reader = new Reader(length, limits);
        Optional<String> problem;
        try {
            reader.read(jar);
            problem = reader.brokenEntries();
        } catch (InflationLimits.Exceeded e) {
            problem = Optional.of(Printable.reason(e));
        } catch (IOException | IllegalArgumentException e) {
            problem = Optional.of("not a readable jar: " + appearance(jar, String.valueOf(e.getMessage())));
        } catch (OutOfMemoryError ignored) {
            problem = Optional.of("not a readable jar: its directory does not fit into memory");
        }
        return new JarContent(reader.entries, reader.inflated, problem);
    }

    /* The first bytes of the file help a person more than the message of the zip library. */
    private static String appearance(Path jar, String complaint) {
        byte[] beginning;
        try (InputStream in = Files.newInputStream(jar)) {
            beginning = in.readNBytes(16);
        } catch (IOException e) {
            return Printable.reason(e);
        }
        String text = new String(beginning, StandardCharsets.ISO_8859_1);
        if (text.isEmpty()) {
            return "it is empty";
        }
        if (text.startsWith("PK")) {
            return Printable.text(complaint) + "; it begins like a jar, so it may be cut off";
        }
        boolean readable = text.matches("[\\x20-\\x7e\\s]+");
        return Printable.text(complaint)
                + (readable ? "; it begins with \"" + Printable.text(text) + "\"" : "; it does not begin like a jar");
    }

    /** Not thread-safe. */
    private static final class Reader {
        private final long length;
        private final InflationLimits limits;
        private final byte[] buffer = new byte[64 * 1024];
        private int entries;
        private long inflated;
        private String firstBroken = "";
        private int broken;

        Reader(long length, InflationLimits limits) {
            this.length = length;
            this.limits = limits;
        }

        void read(Path jar) throws IOException, InterruptedException {
            try (ZipFile zip = new ZipFile(jar.toFile())) {
                for (Enumeration<? extends ZipEntry> all = zip.entries(); all.hasMoreElements(); ) {
                    ZipEntry entry = all.nextElement();
                    if (!entry.isDirectory()) {
                        entries++;
                        readGuarded(zip, entry);
                    }
                }
            }
        }

        private void readGuarded(ZipFile zip, ZipEntry entry) throws IOException, InterruptedException {
            try {
                read(zip, entry);
            } catch (InflationLimits.Exceeded e) {
                throw e;
            } catch (IOException e) {
                if (broken++ == 0) {
                    firstBroken = "entry " + Printable.text(entry.getName()) + ": " + Printable.reason(e);
                }
            }
        }

        private void read(ZipFile zip, ZipEntry entry) throws IOException, InterruptedException {
            CRC32 crc = new CRC32();
            long before = inflated;
            try (InputStream in = zip.getInputStream(entry)) {
                for (int n; (n = in.read(buffer)) >= 0; ) {
                    if (Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                    crc.update(buffer, 0, n);
                    inflated += n;
                    limits.check(inflated, length);
                }
            }
            if (entry.getSize() >= 0 && entry.getSize() != inflated - before) {
                throw new ZipException("is not as long as the jar's directory says");
            }
            if (entry.getCrc() >= 0 && entry.getCrc() != crc.getValue()) {
                throw new ZipException("CRC differs from the jar's directory");
            }
        }

        Optional<String> brokenEntries() {
            if (broken == 0) {
                return Optional.empty();
            }
            String others = broken == 1 ? "" : " (and " + Printable.count(broken - 1) + " more)";
            return Optional.of(firstBroken + others);
        }
    }
}
