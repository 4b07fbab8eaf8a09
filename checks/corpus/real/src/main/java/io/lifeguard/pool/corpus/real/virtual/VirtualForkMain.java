package io.lifeguard.pool.corpus.real.virtual;

import io.lifeguard.pool.corpus.looks.MonitorLookout;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.workbench.ChildJvm;
import java.util.Locale;
import java.util.Optional;

/**
 * The main class of a fork. It starts a program, with the library's executors beside a monitor with all its defaults,
 * or with the JDK's executors, for a watcher from outside. Stateless.
 */
final class VirtualForkMain {

    /** Printed when the program and what feeds it run. */
    static final String PLAYING = "@playing";

    static final String INSIDE = "inside";
    static final String OUTSIDE = "outside";

    private VirtualForkMain() {}

    /** Arguments: name of the program, inside or outside, milliseconds to play. */
    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ROOT);
        ChildJvm.workAndHalt(() ->
                play(VirtualPrograms.named(arguments[0]), arguments[1].equals(INSIDE), Long.parseLong(arguments[2])));
    }

    private static void play(VirtualProgram program, boolean isInside, long millis) throws Exception {
        Optional<MonitorLookout> lookout =
                isInside ? Optional.of(new MonitorLookout(PoolMonitor.global())) : Optional.empty();
        program.form().start(new VirtualStage(isInside));
        long start = System.nanoTime();
        System.out.println(PLAYING);
        Thread.sleep(millis);
        lookout.ifPresent(each -> each.end(start));
    }
}
