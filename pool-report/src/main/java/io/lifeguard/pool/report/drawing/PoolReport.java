package io.lifeguard.pool.report.drawing;

import io.lifeguard.pool.recording.Observation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * An HTML page that shows one recording, or two on the same time axis. Immutable.
 *
 * <p>The page is one file. It needs no network and no server, and a content security policy forbids it to load
 * anything. Names of pools, threads, kinds and places appear as text and are never parsed as markup.
 *
 * <p>A page of 1,000 workers and one hour has less than 5 MB. Where a recording holds more than 4,000,000 changes of
 * what workers did, times are rounded, and a moment shows the worst cause that it holds.
 */
public final class PoolReport {

    private final String title;
    private final List<Part> parts;

    private PoolReport(String title, List<Part> parts) {
        this.title = title;
        this.parts = parts;
    }

    /**
     * Makes a report of one recording.
     *
     * @param recording the observations, in any order; read once per page and never kept, not null
     */
    public static PoolReport of(String title, Iterable<? extends Observation> recording) {
        return new PoolReport(title, List.of(new Part("", recording)));
    }

    /**
     * Makes a report that compares two recordings. Both begin at the same point of the time axis.
     *
     * @param firstName what the first recording is called, for instance {@code caller-runs}, not null
     * @param first the observations of the first one, in any order, not null
     * @param secondName what the second recording is called, not null
     * @param second the observations of the second one, in any order, not null
     */
    public static PoolReport comparing(
            String title,
            String firstName,
            Iterable<? extends Observation> first,
            String secondName,
            Iterable<? extends Observation> second) {
        return new PoolReport(title, List.of(new Part(firstName, first), new Part(secondName, second)));
    }

    /**
     * Writes the page, in place of a file that exists.
     *
     * @param file where to, not null; its directory must exist
     * @throws IOException if the file cannot be written
     */
    public void write(Path file) throws IOException {
        Files.writeString(file, html(), StandardCharsets.UTF_8);
    }

    public String html() {
        return Page.of(new PageData(title, parts).json());
    }
}
