package io.lifeguard.pool.tools;

import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.report.drawing.PoolReport;
import io.lifeguard.pool.text.LogText;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The HTML page that a command writes. Immutable. */
final class ReportPage {

    private final Path page;
    private final PrintStream out;
    private final PrintStream err;

    ReportPage(Path page, PrintStream out, PrintStream err) {
        this.page = page;
        this.out = out;
        this.err = err;
    }

    /**
     * Says why the page cannot be written, where that can be known before.
     *
     * @param sources files that are read, and must not be replaced
     */
    Optional<String> obstacle(List<Path> sources) {
        Path directory = page.toAbsolutePath().getParent();
        if (Files.isDirectory(page)) {
            return Optional.of("it is a directory");
        }
        if (directory == null || !Files.isDirectory(directory)) {
            return Optional.of("no such file or directory");
        }
        return sources.stream().anyMatch(this::isPage) ? Optional.of("it is the recording") : Optional.empty();
    }

    private boolean isPage(Path source) {
        try {
            return Files.exists(page) && Files.exists(source) && Files.isSameFile(page, source);
        } catch (IOException ignored) { // writing will tell
            return false;
        }
    }

    /** A recording as a page shows it: its file, the process if that is known, and what was observed. */
    record Recording(Path file, Optional<String> process, List<Observation> observations) {

        private String name() {
            Path name = file.getFileName();
            return name == null ? file.toString() : name.toString();
        }
    }

    /** {@return one recording, or the first two side by side} */
    static PoolReport drawing(List<Recording> recordings) {
        Recording first = recordings.get(0);
        String name = first.name();
        if (recordings.size() == 1) {
            String title = first.process().map(known -> known + ": " + name).orElse(name);
            return PoolReport.of(title, first.observations());
        }
        Recording second = recordings.get(1);
        return PoolReport.comparing(
                name + " and " + second.name(), name, first.observations(), second.name(), second.observations());
    }

    /** Writes it, and says where it is, or why not. Returns whether it is written. */
    boolean write(PoolReport report) {
        try {
            report.write(page);
        } catch (IOException e) {
            refuse(reason(e));
            return false;
        }
        out.println("Report: " + LogText.clean(page.toAbsolutePath().toString()));
        out.flush();
        return true;
    }

    void refuse(String why) {
        err.println(LogText.clean("cannot write " + page + ": " + why));
    }

    static String reason(Exception e) {
        return e instanceof NoSuchFileException ? "no such file or directory" : e.toString();
    }
}
