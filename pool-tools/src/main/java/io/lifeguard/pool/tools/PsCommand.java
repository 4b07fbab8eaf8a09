package io.lifeguard.pool.tools;

import io.lifeguard.pool.schema.Json;
import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.tools.jvm.CannotLookException;
import io.lifeguard.pool.tools.watch.JvmList;
import io.lifeguard.pool.tools.watch.JvmLooks;
import io.lifeguard.pool.tools.watch.PsJson;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code ps}: lists the JVMs of this machine and user. Not thread-safe. */
@Command(
        name = "ps",
        header = "Lists the JVMs of this machine and user, with their pools, threads, and what is suspicious.",
        description = {
            "",
            "Takes three thread dumps of each. A suspicion is no finding: 'lifeguard watch PID' looks for longer.",
            "Of virtual threads it says how many have a carrier, and not what they do.",
            ""
        },
        exitCodeList = {
            "0:all JVMs were looked at, and nothing is suspicious, virtual threads apart",
            "1:all were looked at, and something is suspicious",
            "2:the list or a JVM could not be looked at, or busy threads belong to no pool"
        })
final class PsCommand extends ToolCommand {

    /** Of the whole list: JVMs that hang, on a machine that is short of CPU. */
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private final PsJson found = new PsJson();
    private boolean isSuspicious;

    @Option(names = "--json", description = "Prints one JSON object.")
    private boolean json;

    PsCommand(PrintStream out, PrintStream err) {
        super(out, err);
    }

    @Override
    public Integer call() throws InterruptedException {
        try {
            List<JvmList.Jvm> jvms = JvmList.all();
            print("%7s  %5s  %7s  %s%n", "pid", "pools", "threads", "main class or jar; suspicion");
            JvmLooks.at(jvms, LONGEST, this::show);
        } catch (CannotLookException e) {
            complain(e.sentence());
            found.cannotLook("the list of JVMs", e.sentence());
        }
        if (json) {
            out.println(Json.line(found.map()));
        }
        out.flush();
        if (found.isIncomplete()) {
            return ExitCode.COULD_NOT_LOOK;
        }
        return isSuspicious ? ExitCode.FINDINGS : ExitCode.HEALTHY;
    }

    private void show(JvmLooks.Looked looked) {
        found.add(looked);
        JvmList.Jvm jvm = looked.jvm();
        if (looked.summary().isEmpty()) {
            print("%7d  %5s  %7s  %s%n", jvm.pid(), "?", "?", jvm.name());
            complain(looked.why());
            return;
        }
        JvmList.Summary summary = looked.summary().get();
        print("%7d  %5d  %7d  %s%n", jvm.pid(), summary.pools(), summary.threads(), jvm.name());
        summary.suspicion().ifPresent(suspicion -> {
            isSuspicious = true;
            print("          ! %s%n", LogText.clean(suspicion.words()));
        });
        summary.carriers().ifPresent(carriers -> print("          - %s%n", carriers.words(jvm.pid())));
        summary.skipped().ifPresent(why -> print("          ? %s%n", LogText.clean(why)));
    }

    private void print(String format, Object... arguments) {
        if (!json) {
            out.printf(Locale.ROOT, format, arguments);
            out.flush();
        }
    }
}
