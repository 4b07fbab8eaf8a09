package io.lifeguard.examples.jaraudit;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;

/** Formats texts and numbers for people. Stateless. */
final class Printable {

    private static final int MAX_LENGTH = 300;

    private Printable() {}

    /** Returns a text from outside in at most 300 characters, without characters that could control the terminal. */
    static String text(String raw) {
        return beginning(raw, MAX_LENGTH);
    }

    /** Returns the beginning of a text from outside, without characters that could control the terminal. */
    static String beginning(String raw, int longest) {
        String clean = raw.strip().replaceAll("[\\p{Cc}\\p{Cf}\\u2028\\u2029]", "?");
        return clean.length() <= longest ? clean : clean.substring(0, longest) + "...";
    }

    /** Returns the reason why a file could not be read. */
    static String reason(IOException failure) {
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof NoSuchFileException) {
            return "no such file";
        }
        if (failure instanceof NotDirectoryException) {
            return "not a directory";
        }
        // The message of this exception begins with the name of the file, which the report prints anyway.
        String message = failure instanceof FileSystemException file && file.getReason() != null
                ? file.getReason()
                : failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : text(message);
    }

    /** Returns a number of bytes in the unit that fits it: B, kB, MB and so on, each 1,000 of the one before. */
    static String bytes(long bytes) {
        if (bytes < 1_000) {
            return bytes + " B";
        }
        double scaled = bytes;
        String units = "kMGTPE";
        int unit = -1;
        while (scaled >= 999.95 && unit < units.length() - 1) {
            scaled /= 1_000;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %cB", scaled, units.charAt(unit));
    }

    /** Returns nanoseconds as seconds, with three significant digits. */
    static String seconds(long nanos) {
        double seconds = nanos / 1e9;
        int digits = seconds < 9.995 ? 2 : seconds < 99.95 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + digits + "f s", seconds);
    }

    /** Returns a whole number with a comma after each thousand. */
    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Returns "1 jar" or "12 jars". */
    static String count(long number, String noun) {
        return count(number) + " " + noun + (number == 1 ? "" : "s");
    }
}
