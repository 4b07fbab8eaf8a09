package io.lifeguard.examples.jaraudit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The result of reading every file of one package of the JDK. Immutable.
 *
 * @param sha1 the SHA-1 of all names and contents, in the order of the names
 * @param files the number of files
 * @param bytes their length in total
 * @param problems what is wrong with the files; empty for a good package
 */
record PackageContent(String sha1, int files, long bytes, List<String> problems) {

    /** The first four bytes of every class file (Java Virtual Machine Specification, section 4.1). */
    private static final int MAGIC = 0xCAFEBABE;

    /** A class file of Java n has the major version 44 + n (same section). */
    private static final int VERSION_OFFSET = 44;

    /** Magic number, minor version, major version. */
    private static final int HEADER_BYTES = 8;

    PackageContent {
        problems = List.copyOf(problems);
    }

    /** Reads and checks every file of a package, but not of the packages below it. */
    static PackageContent read(Path directory) throws IOException, InterruptedException {
        MessageDigest digest = Sha1.newDigest();
        List<String> problems = new ArrayList<>();
        List<Path> files = filesIn(directory);
        long bytes = 0;
        for (Path file : files) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            String name = file.getFileName().toString();
            byte[] content = Files.readAllBytes(file);
            digest.update(name.getBytes(StandardCharsets.UTF_8));
            digest.update(content);
            bytes += content.length;
            if (name.endsWith(".class") && !isClassFile(content)) {
                problems.add(Printable.text(name) + " is not a class file that this JVM can load");
            }
        }
        return new PackageContent(HexFormat.of().formatHex(digest.digest()), files.size(), bytes, problems);
    }

    private static List<Path> filesIn(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, Files::isRegularFile)) {
            all.forEach(files::add);
        }
        files.sort(null);
        return files;
    }

    static boolean isClassFile(byte[] content) {
        if (content.length < HEADER_BYTES) {
            return false;
        }
        ByteBuffer header = ByteBuffer.wrap(content);
        int newest = VERSION_OFFSET + Runtime.version().feature();
        int major = header.getShort(HEADER_BYTES - Short.BYTES) & 0xFFFF;
        return header.getInt(0) == MAGIC && major > VERSION_OFFSET && major <= newest;
    }
}
