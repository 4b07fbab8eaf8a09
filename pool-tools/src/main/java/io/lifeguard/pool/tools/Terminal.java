package io.lifeguard.pool.tools;

import io.lifeguard.pool.tools.watch.WatchText;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The terminal that a command writes to, if there is one. Not thread-safe. */
final class Terminal {

    private static final String HOME = "\u001b[H";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";
    private static final String CLEAR_ALL = "\u001b[2J";

    private final PrintStream out;
    private final boolean isLive;
    private boolean isCleared;
    private int rows = Integer.MAX_VALUE;
    private int columns = WatchText.USUAL_WIDTH;

    Terminal(PrintStream out) {
        this.out = out;
        this.isLive = out == System.out && isTerminal();
    }

    /** Whether text can be replaced there. False for pipes, files, and terminals that cannot. */
    boolean isLive() {
        return isLive;
    }

    /** A console exists on newer JDKs even where the output is a pipe. So ask Linux where the output goes. */
    @SuppressWarnings("SystemConsoleNull") // null still tells on JDK 17
    private static boolean isTerminal() {
        String type = System.getenv("TERM");
        if (System.console() == null || type == null || type.equals("dumb")) {
            return false;
        }
        try {
            String output = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
            return output.startsWith("/dev/pts/") || output.startsWith("/dev/tty") || output.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException ignored) { // no Linux
            return true;
        }
    }

    /** How many columns it has now. Asks each time: in a window made narrower, lines of the former width are broken. */
    int width() {
        if (isLive) {
            measure();
        }
        return columns;
    }

    private void measure() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(Path.of("/dev/tty").toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            if (size.matches("[1-9]\\d{0,4} [1-9]\\d{0,4}")) {
                rows = Integer.parseInt(size.substring(0, size.indexOf(' ')));
                columns = Integer.parseInt(size.substring(size.indexOf(' ') + 1));
            }
        } catch (IOException ignored) {
            // there is no stty: the usual width will do
        }
    }

    /** Prints lines; on a live terminal in place of the former ones, as far as they fit. */
    void show(List<String> lines) {
        if (!isLive) {
            lines.forEach(out::println);
            return;
        }
        StringBuilder screen = new StringBuilder(isCleared ? HOME : CLEAR_ALL + HOME);
        isCleared = true;
        lines.stream()
                .limit(rows - 1)
                .forEach(line -> screen.append(line).append(CLEAR_LINE).append('\n'));
        out.print(screen.append(CLEAR_BELOW));
    }
}
