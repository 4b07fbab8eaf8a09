package io.lifeguard.pool.tools;

import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.tools.jvm.CannotLookException;
import io.lifeguard.pool.tools.watch.JvmList;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** The command {@code ps}: lists the JVMs of this machine and user. Stateless. */
@Command(
        name = "ps",
        header = "Lists the JVMs of this machine and user, with their pools, threads, and what is suspicious.",
        description = {
            "",
            "Takes three thread dumps of each. A suspicion is no finding: 'lifeguard watch PID' looks for longer.",
            ""
        },
        mixinStandardHelpOptions = true,
        versionProvider = JarVersion.class,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:all JVMs were looked at", "2:the list, or one of the JVMs, could not be looked at"})
final class PsCommand implements Callable<Integer> {

    private final PrintStream out;
    private final PrintStream err;

    PsCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws InterruptedException {
        boolean failed = false;
        try {
            List<JvmList.Jvm> jvms = JvmList.all();
            out.printf("%7s  %5s  %7s  %s%n", "pid", "pools", "threads", "main class or jar; suspicion");
            for (JvmList.Jvm jvm : jvms) {
                try {
                    JvmList.Summary summary = JvmList.look(jvm.pid());
                    out.printf("%7d  %5d  %7d  %s%n", jvm.pid(), summary.pools(), summary.threads(), jvm.name());
                    summary.suspicion().ifPresent(text -> out.println("          ! " + LogText.clean(text)));
                } catch (CannotLookException e) {
                    failed |= ProcessHandle.of(jvm.pid()).isPresent(); // one that has just ended is no failure
                    out.printf("%7d  %5s  %7s  %s%n", jvm.pid(), "?", "?", jvm.name());
                    err.println(LogText.clean(e.sentence()));
                }
                out.flush();
            }
        } catch (CannotLookException e) {
            err.println(LogText.clean(e.sentence()));
            failed = true;
        }
        out.flush();
        return failed ? ExitCode.COULD_NOT_LOOK : ExitCode.HEALTHY;
    }
}
