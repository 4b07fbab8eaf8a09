package io.lifeguard.examples.jaraudit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads {@code .sha1} files in all the formats found beside jars. Stateless. */
final class Checksum {

    /** The number of bytes that are read. No real checksum file is longer. */
    private static final int MAX_BYTES = 64 * 1024;

    private static final Pattern SHA1 = Pattern.compile("(?<![0-9A-Za-z])[0-9A-Fa-f]{40}(?![0-9A-Za-z])");

    private Checksum() {}

    /**
     * Returns the checksum in the file beside a jar, in lower case, or nothing if there is no such file.
     *
     * @throws IOException if there is a file that cannot be read or holds no SHA-1
     */
    static Optional<String> beside(Path jar) throws IOException {
        Path file = jar.resolveSibling(jar.getFileName() + ".sha1");
        byte[] content;
        try {
            if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
                throw new IOException("is not a file");
            }
            try (InputStream in = Files.newInputStream(file)) {
                content = in.readNBytes(MAX_BYTES);
            }
        } catch (NoSuchFileException ignored) {
            return Optional.empty();
        }
        String text = new String(content, StandardCharsets.ISO_8859_1);
        if (text.isBlank()) {
            throw new IOException("is empty");
        }
        return Optional.of(parse(text, jar.getFileName().toString())
                .orElseThrow(() -> new IOException("holds no SHA-1 but \"" + Printable.beginning(text, 40) + "\"")));
    }

    /**
     * Returns the SHA-1 in a text. It may stand alone, before a file name ({@code sha1sum}) or after one
     * ({@code openssl}). If there are several, the one in the line that ends with the jar's name is returned.
     */
    static Optional<String> parse(String text, String jarName) {
        Optional<String> first = Optional.empty();
        for (String line : text.lines().toList()) {
            Matcher matcher = SHA1.matcher(line);
            if (matcher.find()) {
                Optional<String> found = Optional.of(matcher.group().toLowerCase(Locale.ROOT));
                if (names(line, jarName)) {
                    return found;
                }
                first = first.or(() -> found);
            }
        }
        return first;
    }

    private static boolean names(String line, String jarName) {
        String stripped = line.strip();
        return line.contains("(" + jarName + ")")
                || Stream.of(" ", "*", "/").anyMatch(before -> stripped.endsWith(before + jarName));
    }
}
