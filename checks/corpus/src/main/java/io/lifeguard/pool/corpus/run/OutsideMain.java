package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.corpus.workloads.PoolMaker;
import io.lifeguard.pool.corpus.workloads.Scene;
import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.pool.corpus.workloads.Workloads;
import io.lifeguard.workbench.ChildJvm;
import io.lifeguard.workbench.Hashing;
import java.time.Duration;
import java.util.Locale;

/**
 * The main class of a JVM that is watched from outside. It plays one workload on the JDK's pools, and ends at once.
 * Stateless.
 */
final class OutsideMain {

    /** Printed when the workload is set up. */
    static final String PLAYING = "@playing";

    /** Printed at the end, with the milliseconds from the set-up to the moment at which the workload became sick. */
    static final String SICK_SINCE = "@sick ";

    private OutsideMain() {}

    /** Arguments: name of the workload, milliseconds to play. */
    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ROOT);
        ChildJvm.workAndHalt(() ->
                play(Workloads.named(arguments[0]).orElseThrow(), Duration.ofMillis(Long.parseLong(arguments[1]))));
    }

    private static void play(Workload workload, Duration length) throws Exception {
        if (Hashing.micros(1) == 0) {
            System.out.println("calibrated before anybody watches");
        }
        Scene scene = new Scene(length, Duration.ZERO, PoolMaker.PLAIN);
        workload.action().play(scene);
        long playing = System.nanoTime();
        System.out.println(PLAYING);
        scene.awaitEnd();
        System.out.println(SICK_SINCE + (scene.sickSince(playing) - playing) / 1_000_000);
        System.out.println(ForkMain.DONE);
    }
}
