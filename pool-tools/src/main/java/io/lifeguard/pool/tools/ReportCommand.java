package io.lifeguard.pool.tools;

import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.tools.recording.RecordedProcess;
import io.lifeguard.pool.tools.recording.RecordingReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code report}: draws one flight recording, or two side by side, as an HTML page. Not thread-safe. */
@Command(
        name = "report",
        header = "Draws flight recordings of pools as one HTML page, which needs no network.",
        description = {
            "",
            "Reads recordings that jcmd PID JFR.start made, and black boxes that Lifeguard wrote.",
            "Two recordings are drawn on one time axis, for instance before and after a change.",
            ""
        },
        exitCodeList = {
            "0:the page is written",
            "2:a recording could not be read or holds nothing of Lifeguard, the page could not be written, or the"
                    + " arguments are wrong"
        })
final class ReportCommand extends ToolCommand {

    @Parameters(index = "0", paramLabel = "FILE", description = "A flight recording.")
    private Path file = Path.of("");

    @Parameters(index = "1", arity = "0..1", paramLabel = "OTHER", description = "One to compare it with.")
    private @Nullable Path other;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "PAGE",
            required = true,
            description = "Where to write the page. A file that is there is replaced.")
    private Path page = Path.of("");

    ReportCommand(PrintStream out, PrintStream err) {
        super(out, err);
    }

    @Override
    public Integer call() {
        List<Path> sources = other == null ? List.of(file) : List.of(file, other);
        List<ReportPage.Recording> recordings = new ArrayList<>();
        for (Path source : sources) {
            ReportPage.Recording recording = read(source);
            if (recording == null) {
                return ExitCode.COULD_NOT_LOOK;
            }
            recordings.add(recording);
        }
        ReportPage written = new ReportPage(page, out, err);
        Optional<String> obstacle = written.obstacle(sources);
        obstacle.ifPresent(written::refuse);
        return obstacle.isEmpty() && written.write(ReportPage.drawing(recordings))
                ? ExitCode.HEALTHY
                : ExitCode.COULD_NOT_LOOK;
    }

    private ReportPage.@Nullable Recording read(Path source) {
        RecordedProcess process = new RecordedProcess();
        try {
            List<Observation> recording = RecordingReader.read(source, process);
            if (!recording.isEmpty()) {
                return new ReportPage.Recording(source, process.name(), recording);
            }
            complain("cannot read " + source + ": it holds no event of Lifeguard");
        } catch (OutOfMemoryError e) {
            complain("cannot read " + source + ": too large for this heap; give it more with java -Xmx");
        } catch (IOException | RuntimeException e) { // the JDK's reader throws many kinds for a broken file
            complain("cannot read " + source + ": " + ReportPage.reason(e));
        }
        return null;
    }
}
