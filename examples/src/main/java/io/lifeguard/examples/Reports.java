package io.lifeguard.examples;

import io.lifeguard.pool.report.LastMinute;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes pages into new directories for temporary files, and prints where they are. Stateless. */
public final class Reports {

    private Reports() {}

    /**
     * Writes a page about one run.
     *
     * @param name the name of the file, without its ending
     * @param title what the page is called
     */
    public static void write(Terminal terminal, String name, String title, LastMinute run) throws IOException {
        Path page = newPage(name);
        run.report(page, title);
        tell(terminal, page);
    }

    /**
     * Writes a page that shows two runs side by side.
     *
     * @param name the name of the file, without its ending
     * @param title what the page is called
     */
    public static void write(
            Terminal terminal,
            String name,
            String title,
            String sickName,
            LastMinute sick,
            String curedName,
            LastMinute cured)
            throws IOException {
        Path page = newPage(name);
        sick.reportBeside(page, title, sickName, curedName, cured);
        tell(terminal, page);
    }

    private static Path newPage(String name) throws IOException {
        return Files.createTempDirectory("lifeguard-").resolve(name + ".html");
    }

    private static void tell(Terminal terminal, Path page) {
        terminal.print(String.format("%nReport: %s%n", page));
    }
}
