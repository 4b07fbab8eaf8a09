package io.lifeguard.pool.os;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads small text files below {@code /proc} and {@code /sys}. The text of a missing or forbidden file is null.
 * Stateless.
 */
public final class ProcFile {

    private static final int ENOUGH = 1 << 20;
    private static final int USUAL = 1 << 12; // nearly all of these files are shorter

    private ProcFile() {}

    /** The text of a file; null when it cannot be read. */
    public static @Nullable String read(Path file) {
        return read(file.toString());
    }

    /** No {@code Files}: the first worker of the JVM would wait for its classes. */
    public static @Nullable String read(String file) {
        try (InputStream in = new FileInputStream(file)) {
            byte[] bytes = new byte[USUAL];
            int length = 0;
            for (int read = in.read(bytes); read > 0; read = in.read(bytes, length, bytes.length - length)) {
                length += read;
                if (length == bytes.length) {
                    if (length >= ENOUGH) {
                        break;
                    }
                    bytes = Arrays.copyOf(bytes, 2 * length);
                }
            }
            return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        } catch (IOException | RuntimeException ignored) { // missing or forbidden
            return null;
        }
    }

    /** The lines of a file; empty when it cannot be read. */
    public static List<String> lines(Path file) {
        String text = read(file);
        List<String> lines = new ArrayList<>();
        for (int from = 0; text != null && from < text.length(); ) {
            int end = text.indexOf('\n', from);
            lines.add(text.substring(from, end < 0 ? text.length() : end));
            from = end < 0 ? text.length() : end + 1;
        }
        return lines;
    }

    /** The number in a text that contains only a number; otherwise null. */
    public static @Nullable Long number(@Nullable String text) {
        try {
            return text == null ? null : Long.valueOf(text.strip());
        } catch (NumberFormatException ignored) { // not a number
            return null;
        }
    }

    /** The number on the line that begins with {@code key}, or {@code otherwise} if there is no such line. */
    public static long valueOf(String key, String text, long otherwise) {
        int at = text.startsWith(key) ? 0 : text.indexOf("\n" + key) + 1;
        if (at == 0 && !text.startsWith(key)) {
            return otherwise;
        }
        int end = text.indexOf('\n', at);
        Long value = number(text.substring(at + key.length(), end < 0 ? text.length() : end));
        return value == null ? otherwise : value;
    }
}
