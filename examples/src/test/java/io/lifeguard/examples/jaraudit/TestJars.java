package io.lifeguard.examples.jaraudit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Makes jars, good ones and bad ones. Stateless. */
final class TestJars {

    static final int ENTRIES = 3;
    static final int ENTRY_LENGTH = 2_000;

    private TestJars() {}

    /** Writes a jar of {@link #ENTRIES} files and a directory; the same name always gets the same bytes. */
    static Path good(Path jar) throws IOException {
        Files.createDirectories(jar.getParent());
        Random random = new Random(jar.getFileName().toString().hashCode());
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(entry("content/"));
            for (int i = 0; i < ENTRIES; i++) {
                byte[] bytes = new byte[ENTRY_LENGTH];
                random.nextBytes(bytes);
                zip.putNextEntry(entry("content/" + i));
                zip.write(bytes);
            }
        }
        return jar;
    }

    /** Writes a good jar and the checksum file beside it. */
    static Path goodWithChecksum(Path jar) throws IOException {
        return checksum(good(jar), sha1(jar));
    }

    /** Writes a jar with one entry of zeros, which deflates to nearly nothing. */
    static Path bomb(Path jar, int length) throws IOException {
        Files.createDirectories(jar.getParent());
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(entry("zeros"));
            zip.write(new byte[length]);
        }
        return jar;
    }

    /** Writes a jar with one entry, {@code stored.txt}, that is stored as it is. */
    static Path stored(Path jar, String content) throws IOException {
        byte[] bytes = content.getBytes(StandardCharsets.US_ASCII);
        CRC32 crc = new CRC32();
        crc.update(bytes);
        ZipEntry entry = entry("stored.txt");
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(bytes.length);
        entry.setCrc(crc.getValue());
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(entry);
            zip.write(bytes);
        }
        return jar;
    }

    /** Cuts a jar in half. */
    static Path truncate(Path jar) throws IOException {
        byte[] bytes = Files.readAllBytes(jar);
        return Files.write(jar, Arrays.copyOf(bytes, bytes.length / 2));
    }

    /** Writes something into the checksum file beside a jar. */
    static Path checksum(Path jar, String content) throws IOException {
        Files.writeString(jar.resolveSibling(jar.getFileName() + ".sha1"), content);
        return jar;
    }

    static String sha1(Path jar) throws IOException {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(Files.readAllBytes(jar));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static ZipEntry entry(String name) {
        ZipEntry entry = new ZipEntry(name);
        entry.setTime(0);
        return entry;
    }
}
