package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.corpus.workloads.Scene;
import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.pool.corpus.workloads.Workloads;
import io.lifeguard.workbench.ChildJvm;
import io.lifeguard.workbench.Hashing;
import java.time.Duration;
import java.util.Locale;

/**
 * The main class of a fork. It plays one workload, prints the findings, and ends at once, whatever still runs.
 * Stateless.
 */
final class ForkMain {

    static final String DONE = "@done";

    private ForkMain() {}

    /**
     * Arguments: name of the workload, milliseconds to play, milliseconds of a window, and whether to print the
     * windows.
     */
    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ROOT);
        ChildJvm.workAndHalt(() -> play(
                Workloads.named(arguments[0]).orElseThrow(),
                Duration.ofMillis(Long.parseLong(arguments[1])),
                Duration.ofMillis(Long.parseLong(arguments[2])),
                Boolean.parseBoolean(arguments[3])));
    }

    private static void play(Workload workload, Duration length, Duration window, boolean verbose) throws Exception {
        if (Hashing.micros(1) == 0) {
            System.out.println("calibrated before the monitor starts");
        }
        Watcher watcher = new Watcher(window);
        watcher.warmUp();
        Scene scene = new Scene(length);
        workload.action().play(scene);
        long playing = System.nanoTime();
        scene.awaitEnd();
        if (verbose) {
            watcher.windows().forEach(System.out::println);
        }
        watcher.end(scene.sickSince(playing)).forEach(sighting -> System.out.println(sighting.line()));
        System.out.println(DONE);
    }
}
