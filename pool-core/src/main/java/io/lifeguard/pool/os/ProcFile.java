package io.lifeguard.pool.os;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads small text files below {@code /proc} and {@code /sys}. The text of a missing or forbidden file is null.
 * Stateless.
 */
final class ProcFile {

    private static final int ENOUGH = 1 << 20;

    private ProcFile() {}

    static @Nullable String read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(ENOUGH), StandardCharsets.ISO_8859_1);
        } catch (IOException | RuntimeException ignored) { // missing or forbidden
            return null;
        }
    }

    static List<String> lines(Path file) {
        String text = read(file);
        return text == null ? List.of() : text.lines().toList();
    }

    /** The number in a text that contains only a number; otherwise null. */
    static @Nullable Long number(@Nullable String text) {
        try {
            return text == null ? null : Long.valueOf(text.strip());
        } catch (NumberFormatException ignored) { // not a number
            return null;
        }
    }

    /** The number on the line that begins with {@code key}, or {@code otherwise} if there is no such line. */
    static long valueOf(String key, String text, long otherwise) {
        int at = text.startsWith(key) ? 0 : text.indexOf("\n" + key) + 1;
        if (at == 0 && !text.startsWith(key)) {
            return otherwise;
        }
        int end = text.indexOf('\n', at);
        Long value = number(text.substring(at + key.length(), end < 0 ? text.length() : end));
        return value == null ? otherwise : value;
    }
}
