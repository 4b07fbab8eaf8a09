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

    private static final int WINDOWS_AFTER = 4;

    private ForkMain() {}

    /**
     * Arguments: name of the workload, milliseconds to play, milliseconds of patience, milliseconds of a window, and
     * whether to print the windows.
     */
    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ROOT);
        ChildJvm.workAndHalt(() -> play(
                Workloads.named(arguments[0]).orElseThrow(),
                Duration.ofMillis(Long.parseLong(arguments[1])),
                Duration.ofMillis(Long.parseLong(arguments[2])),
                Duration.ofMillis(Long.parseLong(arguments[3])),
                Boolean.parseBoolean(arguments[4])));
    }

    private static void play(Workload workload, Duration length, Duration patience, Duration window, boolean verbose)
            throws Exception {
        boolean isPatient = workload.isSick() && !patience.isZero();
        if (Hashing.micros(1) == 0) {
            System.out.println("calibrated before the monitor starts");
        }
        Watcher watcher = new Watcher(window);
        watcher.warmUp();
        Scene scene = new Scene(isPatient ? length.plus(patience) : length);
        workload.action().play(scene);
        long playing = System.nanoTime();
        if (isPatient) {
            awaitFindings(workload, watcher, scene, window);
        } else {
            scene.awaitEnd();
        }
        if (verbose) {
            watcher.windows().forEach(System.out::println);
        }
        watcher.end(scene.sickSince(playing)).forEach(sighting -> System.out.println(sighting.line()));
        System.out.println(DONE);
    }

    /** Until all that must be found is found, and some windows longer, in which a false finding may come. */
    private static void awaitFindings(Workload workload, Watcher watcher, Scene scene, Duration window)
            throws InterruptedException {
        while (!scene.isOver() && !watcher.found().containsAll(workload.must())) {
            Thread.sleep(window.toMillis());
        }
        for (int i = 0; i < WINDOWS_AFTER && !scene.isOver(); i++) {
            Thread.sleep(window.toMillis());
        }
    }
}
