package io.lifeguard.torture;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What one JVM has to bear. Immutable.
 *
 * @param name of the row in the report
 * @param virtual virtual threads that live at a time; 0 before Java 21
 * @param platform platform threads in pools
 * @param options of the JVM: its collector and its memory
 */
record Torment(String name, int virtual, int platform, List<String> options) {

    private static final List<String> COLLECTORS = List.of("Serial", "Parallel", "G1", "Shenandoah", "Z");

    /**
     * The two that show most in a short time: very many threads that live for a moment, and a heap that is too small.
     */
    static final List<Torment> SHORT =
            List.of(of("many virtual threads", 100_000, 10, "G1", 900), of("little memory", 1_000, 400, "Serial", 48));

    /** All collectors, 100 to 100,000 virtual and 10 to 4,000 platform threads, and a heap that is too small. */
    static final List<Torment> ALL = all();

    private static List<Torment> all() {
        List<Torment> all = new ArrayList<>(SHORT);
        for (String collector : COLLECTORS) {
            all.add(of(collector + ", few threads", 100, 10, collector, 128));
            all.add(of(collector + ", some threads", 3_000, 300, collector, 256));
        }
        all.add(of("many platform threads", 1_000, 4_000, "G1", 512));
        return all;
    }

    private static Torment of(String name, int virtual, int platform, String collector, int megabytes) {
        return new Torment(
                name, virtual, platform, List.of("-XX:+Use" + collector + "GC", "-Xmx" + megabytes + "m", "-Xss256k"));
    }

    /** {@return whether a JVM can bear it, which is not so if it lacks the collector} */
    boolean isFor(String java) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(options);
        command.add("-version");
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
