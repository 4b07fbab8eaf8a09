package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.corpus.looks.Watcher;
import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.workbench.ChildJvm;
import io.lifeguard.workbench.Machine;
import io.lifeguard.workbench.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Plays workloads on the JDK's pools, each in a JVM of its own, and has {@code lifeguard watch} look at it from another
 * one. One thread only.
 *
 * @param length how long the watcher looks
 * @param targetJava the program {@code java} of the watched JVM
 * @param watcherJava the program {@code java} of the watcher
 * @param foreignLoad busy threads of other processes, in addition to the workload's own
 */
public record Outside(Duration length, String targetJava, String watcherJava, int foreignLoad) {

    private static final Duration SET_UP_AT_MOST = Duration.ofSeconds(30);

    /** Longer than the watcher needs, so that it never sees the end. */
    private static final Duration MARGIN = Duration.ofSeconds(6);

    /** Runs a workload once. */
    public OutsideOutcome run(Workload workload) {
        Duration played = length.plus(MARGIN);
        List<String> arguments = List.of(workload.name(), Long.toString(played.toMillis()));
        Watching watching = new Watching();
        return new WorkloadJvm(workload, OutsideMain.class, foreignLoad, Machine.UNCHANGED, targetJava)
                .run(played, arguments, watching::look)
                .map(lines -> OutsideOutcome.of(workload, watching.began, sickSince(lines), watching.lines))
                .orElseGet(() -> OutsideOutcome.notRun(workload, WorkloadJvm.NO_QUOTA));
    }

    private static long sickSince(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(OutsideMain.SICK_SINCE))
                .mapToLong(line -> Long.parseLong(line.substring(OutsideMain.SICK_SINCE.length())))
                .findFirst()
                .orElseThrow();
    }

    /** One watcher. It begins when the workload is set up. */
    private final class Watching {
        private long began; // by the wall clock, in milliseconds: the watcher's lines have such times
        private final List<String> lines = new ArrayList<>();

        void look(ChildJvm target) throws IOException {
            awaitSetUp(target);
            began = System.currentTimeMillis();
            try (Watcher watcher = Watcher.start(watcherJava, target.pid(), length)) {
                watcher.forEachLine(lines::add);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while the workload was watched", e);
            }
        }

        private void awaitSetUp(ChildJvm target) throws IOException {
            long deadline = System.nanoTime() + SET_UP_AT_MOST.toNanos();
            while (!target.output().contains(OutsideMain.PLAYING)) {
                if (System.nanoTime() > deadline) {
                    throw new IOException("the workload is not set up:\n" + String.join("\n", target.output()));
                }
                Waiting.millis(20);
            }
        }
    }
}
