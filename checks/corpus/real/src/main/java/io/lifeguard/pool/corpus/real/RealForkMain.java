package io.lifeguard.pool.corpus.real;

import io.lifeguard.pool.corpus.looks.Lookout;
import io.lifeguard.pool.corpus.looks.MonitorLookout;
import io.lifeguard.pool.corpus.looks.OutsideLookout;
import io.lifeguard.pool.corpus.real.systems.HealthyPrograms;
import io.lifeguard.pool.corpus.real.systems.RealSystem;
import io.lifeguard.pool.corpus.real.systems.Stage;
import io.lifeguard.pool.corpus.real.systems.Systems;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.workbench.ChildJvm;
import java.time.Duration;
import java.util.Locale;

/**
 * The main class of a fork. It starts a system in one of its forms, beside a monitor with all its defaults or a watcher
 * from outside, and prints the looks. Stateless.
 */
final class RealForkMain {

    static final String THROUGHPUT = "@throughput\t";
    static final String SICK = "sick";
    static final String CURED = "cured";
    static final String HEALTHY = "healthy";

    /** The system property that has {@code lifeguard watch} look at the fork, instead of its own monitor. */
    static final String OUTSIDE = "corpus.outside";

    /** For the start of the system. */
    private static final Duration MARGIN = Duration.ofSeconds(20);

    private RealForkMain() {}

    /** Arguments: name of the system, its form, milliseconds to play. */
    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ROOT);
        ChildJvm.workAndHalt(() -> play(form(arguments[0], arguments[1]), Long.parseLong(arguments[2])));
    }

    private static RealSystem.Form form(String name, String form) {
        return switch (form) {
            case SICK -> Systems.named(name).orElseThrow().sick();
            case CURED -> Systems.named(name).orElseThrow().cured();
            case HEALTHY -> HealthyPrograms.named(name).orElseThrow().form();
            default -> throw new IllegalArgumentException("there is no form \"" + form + "\"");
        };
    }

    private static void play(RealSystem.Form form, long millis) throws Exception {
        PoolMonitor monitor = PoolMonitor.global();
        Lookout lookout = Boolean.getBoolean(OUTSIDE)
                ? new OutsideLookout(Duration.ofMillis(millis).plus(MARGIN))
                : new MonitorLookout(monitor);
        try (Stage stage = new Stage(monitor)) {
            form.start(stage);
            if (stage.server().isPresent() && Boolean.getBoolean(OUTSIDE)) {
                lookout.end(System.nanoTime()); // of this JVM, which only has the clients
                lookout = new OutsideLookout(
                        stage.server().getAsLong(), Duration.ofMillis(millis).plus(MARGIN));
            }
            long start = System.nanoTime();
            Thread.sleep(millis / 2); // until the JVM is warm
            long before = stage.done();
            long from = System.nanoTime();
            Thread.sleep(millis - millis / 2);
            double perSecond = (stage.done() - before) * 1e9 / (System.nanoTime() - from);
            lookout.end(start);
            if (stage.failure().isPresent()) {
                throw stage.failure().get();
            }
            System.out.println(THROUGHPUT + perSecond);
        }
    }
}
