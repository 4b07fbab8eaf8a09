package io.lifeguard.pool.tools;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.report.drawing.PoolReport;
import io.lifeguard.pool.report.drawing.ProcessName;
import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.tools.jvm.CannotLookException;
import io.lifeguard.pool.tools.jvm.Priority;
import io.lifeguard.pool.tools.watch.Picture;
import io.lifeguard.pool.tools.watch.PoolHistory;
import io.lifeguard.pool.tools.watch.PoolOrder;
import io.lifeguard.pool.tools.watch.PoolView;
import io.lifeguard.pool.tools.watch.Target;
import io.lifeguard.pool.tools.watch.Watch;
import io.lifeguard.pool.tools.watch.WatchJson;
import io.lifeguard.pool.tools.watch.WatchText;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code watch}: says what is wrong with the pools of a running JVM. Not thread-safe. */
@Command(
        name = "watch",
        header = "Watches the thread pools of a running JVM, and says what is wrong with them.",
        description = {
            "",
            "The JVM needs no agent and no library. It stays as it is, and stands still for about 1 %% of the time.",
            "In a terminal the table is live. Otherwise each event is a line between a first and a last table.",
            ""
        },
        exitCodeList = {
            "0:nothing was found",
            "1:there were findings",
            "2:the process could not be looked at, or not for long enough; or the arguments are wrong"
        })
final class WatchCommand extends ToolCommand {

    /** Most findings take three windows, and a limit that comes and goes six. */
    private static final int WINDOWS_OF_ONCE = 6;

    /** Then a standstill is told, and the findings besides it. Where CPUs are short, a window takes several seconds. */
    private static final Duration STANDSTILL_OF_ONCE = Duration.ofSeconds(5);

    private static final int MOST_SECONDS_OF_ONCE = 30;

    private final Terminal terminal;
    private final PoolHistory history = new PoolHistory();
    private boolean hasFindings;

    @Parameters(
            paramLabel = "PID",
            converter = Numbers.Pid.class,
            description = "The process. 'lifeguard ps' lists them.")
    private long pid;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            converter = Numbers.Positive.class,
            description = "Ends after so many seconds, but not before the first look of a second has ended. Default:"
                    + " never, and with --once after six such looks, or once a standstill is told.")
    private @Nullable Integer seconds;

    @Option(names = "--once", description = "Prints one table with the findings at the end, and nothing before.")
    private boolean once;

    @Option(names = "--json", description = "Prints one JSON object per line, one line per second.")
    private boolean json;

    @Option(
            names = "--sort",
            paramLabel = "ORDER",
            description = "Which pools come first: ${COMPLETION-CANDIDATES}. Default: BUSY.")
    private PoolOrder order = PoolOrder.BUSY;

    @Option(names = "--no-color", description = "No colours in a terminal. The variable NO_COLOR does the same.")
    private boolean isPlain;

    @Option(
            names = "--virtual-dump",
            description =
                    "Also takes dumps of virtual threads where the JVM can crash on them, as Java 25 can: only where"
                            + " its end does no harm. Where they are safe they are taken anyway.")
    private boolean takesAnyDump;

    @Option(
            names = "--report",
            paramLabel = "PAGE",
            description = "Draws what was seen as an HTML page at the end. A file that is there is replaced.")
    private @Nullable Path page;

    WatchCommand(PrintStream out, PrintStream err) {
        super(out, err);
        this.terminal = new Terminal(out);
    }

    @Override
    public Integer call() throws InterruptedException {
        try {
            Target target = Target.of(pid);
            if (takesAnyDump) {
                target.takeAnyDump();
            }
            return watch(target);
        } catch (CannotLookException e) {
            if (json) {
                out.println(WatchJson.notLooked(
                        pid, LogText.clean(e.sentence()), Instant.now().truncatedTo(ChronoUnit.MILLIS)));
            }
            out.flush();
            complain(e.sentence());
            return hasFindings ? ExitCode.FINDINGS : ExitCode.COULD_NOT_LOOK;
        } finally {
            out.flush();
        }
    }

    private int watch(Target target) throws CannotLookException, InterruptedException {
        Path path = page;
        if (path == null) {
            return watchAndPrint(new Watch(target, events()));
        }
        ReportPage report = new ReportPage(path, json ? err : out, err);
        Optional<String> obstacle = report.obstacle(List.of());
        if (obstacle.isPresent()) {
            report.refuse(obstacle.get());
            return ExitCode.COULD_NOT_LOOK;
        }
        String title = ProcessName.text(target.program(), pid); // now, because the process may end first
        Picture picture = new Picture(events());
        AtomicBoolean isBegun = new AtomicBoolean();
        BooleanSupplier draw =
                () -> !isBegun.compareAndSet(false, true) || report.write(PoolReport.of(title, picture.observations()));
        Runnable drawAtExit = () -> {
            boolean ignored = draw.getAsBoolean(); // what kept it from being written is said already
        };
        Thread atExit = new Thread(drawAtExit, "lifeguard-report");
        Runtime.getRuntime().addShutdownHook(atExit); // Ctrl-C is how a live watch usually ends
        boolean isDrawn = true;
        int exitCode;
        try {
            exitCode = watchAndPrint(new Watch(target, picture, Optional.of(picture)));
        } finally {
            isDrawn = draw.getAsBoolean();
            forget(atExit);
        }
        return isDrawn ? exitCode : ExitCode.COULD_NOT_LOOK;
    }

    private static void forget(Thread atExit) {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException ignored) { // the program ends already
            return;
        }
    }

    private int watchAndPrint(Watch watch) throws CannotLookException, InterruptedException {
        int windows = watch(watch);
        if (once || (saysEvents() && windows > 1)) {
            print(watch);
        }
        if (hasFindings) {
            return ExitCode.FINDINGS;
        }
        Optional<String> obstacle = watch.obstacle();
        obstacle.ifPresent(why -> {
            out.flush();
            complain("Nothing is found, but not enough was seen: " + why + ".");
        });
        return obstacle.isPresent() ? ExitCode.COULD_NOT_LOOK : ExitCode.HEALTHY;
    }

    /** {@return how many looks of a second there were} */
    private int watch(Watch watch) throws CannotLookException, InterruptedException {
        Integer limit = once && seconds == null ? Integer.valueOf(MOST_SECONDS_OF_ONCE) : seconds;
        long began = System.nanoTime();
        int windows = 0;
        while (true) {
            Priority.raiseIfCrowded(); // the load may come later than this program
            if (watch.look()) {
                windows++;
                history.add(watch.pools());
                if (!once && (json || terminal.isLive() || windows == 1)) {
                    print(watch);
                }
            }
            if (out.checkError()) { // a PrintStream hides it, and this would watch forever for nobody
                throw new CannotLookException("the output can no longer be written, so the watch ends: its reader has"
                        + " ended, as 'head' does, or the disk is full. Write to a file with room, and read that.");
            }
            boolean isDecided = System.nanoTime() - began >= STANDSTILL_OF_ONCE.toNanos() && watch.isDecided();
            if (once && seconds == null && (windows == WINDOWS_OF_ONCE || isDecided)) {
                return windows;
            }
            Duration pause = watch.pause();
            long left =
                    limit == null ? Long.MAX_VALUE : Duration.ofSeconds(limit).toNanos() - (System.nanoTime() - began);
            if (left <= 0 && windows > 0) {
                return windows;
            }
            long wait = left <= 0 ? pause.toMillis() : Math.min(pause.toMillis(), left / 1_000_000);
            Thread.sleep(Math.max(1, wait));
        }
    }

    private void print(Watch watch) {
        if (json) {
            out.println(WatchJson.of(watch, Instant.now().truncatedTo(ChronoUnit.MILLIS)));
        } else {
            String noColour = System.getenv("NO_COLOR"); // https://no-color.org
            boolean isColoured = terminal.isLive() && !isPlain && (noColour == null || noColour.isEmpty());
            WatchText text = new WatchText(terminal.width(), isColoured, order);
            List<String> lines = new ArrayList<>(text.table(watch));
            watch.blindness().ifPresent(what -> lines.addAll(text.wrapped("", what)));
            if (terminal.isLive() && !watch.pools().isEmpty()) {
                lines.add("");
                lines.add("busy in the last minute");
                lines.addAll(text.history(history));
            }
            if (once || terminal.isLive()) {
                for (PoolView pool : watch.pools()) {
                    pool.findings().forEach(finding -> {
                        lines.add("");
                        lines.addAll(text.finding(finding));
                    });
                    lines.addAll(text.undecided(pool));
                }
            }
            terminal.show(lines);
        }
        out.flush();
    }

    /** Prints each event as it comes, where nothing else shows it. */
    private FindingListener events() {
        return new FindingListener() {
            @Override
            public void raised(Finding finding) {
                hasFindings = true;
                say("found", finding);
            }

            @Override
            public void escalated(Finding finding) {
                say("worse", finding);
            }

            @Override
            public void resolved(Finding finding) {
                over(finding, "resolved");
            }

            @Override
            public void ended(Finding finding, String why) {
                over(finding, why);
            }
        };
    }

    private boolean saysEvents() {
        return !json && !once && !terminal.isLive();
    }

    private void say(String what, Finding finding) {
        if (saysEvents()) {
            out.println(
                    time() + " " + what + " " + String.join(" ", new WatchText(Integer.MAX_VALUE).finding(finding)));
            out.flush();
        }
    }

    private void over(Finding finding, String why) {
        if (saysEvents()) {
            out.println(LogText.clean(time() + " over " + finding.id() + " of pool '" + finding.pool() + "': " + why));
            out.flush();
        }
    }

    private static String time() {
        return WatchText.time(LocalTime.now(ZoneId.systemDefault()));
    }
}
