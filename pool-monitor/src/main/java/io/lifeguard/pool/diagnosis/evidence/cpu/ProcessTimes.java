package io.lifeguard.pool.diagnosis.evidence.cpu;

import io.lifeguard.pool.diagnosis.system.CompilerThreads;
import io.lifeguard.pool.diagnosis.system.ProcessReader;
import io.lifeguard.pool.diagnosis.system.ProcessReading;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.os.Unknown;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Measures what happened to the process since the last call. Confined to the monitor's thread. */
public final class ProcessTimes {

    private static final int MILLI = 1_000_000; // nanoseconds of a millisecond

    private final Supplier<ProcessReading> reader;
    private final LongSupplier gcMillis;
    private final LongSupplier compilerNanos;
    private final MonitorClock clock;

    /** Share of the CPUs, but one at most: collections take no more CPU time than the process does. */
    private static final double MUCH_CPU = 0.5;

    private boolean asksCollectors; // not before they may matter: their beans take 170 classes, and 50 ms
    private @Nullable ProcessReading last;
    private long lastNanos;
    private long lastGcMillis = Unknown.NUMBER;
    private long lastCompilerNanos;

    public ProcessTimes(
            Supplier<ProcessReading> reader, LongSupplier gcMillis, LongSupplier compilerNanos, MonitorClock clock) {
        this.reader = reader;
        this.gcMillis = gcMillis;
        this.compilerNanos = compilerNanos;
        this.clock = clock;
    }

    public static ProcessTimes ofThisProcess(MonitorClock clock) {
        return new ProcessTimes(new ProcessReader(), new Collectors(), new CompilerThreads(Path.of("/")), clock);
    }

    /** How long those that stop all threads have collected; {@link Unknown#NUMBER} where one of them does not say. */
    private static final class Collectors implements LongSupplier {
        private @Nullable List<GarbageCollectorMXBean> beans;

        @Override
        public long getAsLong() {
            List<GarbageCollectorMXBean> known = beans;
            if (known == null) {
                known = new ArrayList<>(ManagementFactory.getGarbageCollectorMXBeans());
                known.removeIf(collector -> !isPausing(collector.getName()));
                beans = known;
            }
            long sum = known.isEmpty() ? Unknown.NUMBER : 0;
            for (GarbageCollectorMXBean collector : known) {
                long millis = collector.getCollectionTime(); // -1 is unknown
                sum = sum < 0 || millis < 0 ? Unknown.NUMBER : sum + millis;
            }
            return sum;
        }
    }

    /**
     * False for collectors whose time is mostly concurrent: the cycles of ZGC and Shenandoah, and the marking of G1.
     */
    static boolean isPausing(String collector) {
        return !collector.endsWith("Cycles") && !collector.contains("Concurrent");
    }

    public ProcessWindow advance(Duration late) {
        ProcessReading now = reader.get();
        long nowNanos = clock.nanoTime();
        long compilersNow = compilerNanos.getAsLong();
        ProcessReading before = last == null ? now : last;
        double nanos = last == null ? 0 : Math.max(1, nowNanos - lastNanos); // 0: shares are unknown
        long compiled = Math.max(0, compilersNow - Math.max(0, lastCompilerNanos));
        long used = now.userNanos() + now.systemNanos() - before.userNanos() - before.systemNanos() - compiled;
        int processors = Runtime.getRuntime().availableProcessors();
        asksCollectors |= now.userNanos() < 0 || (last != null && used >= Math.min(1, MUCH_CPU * processors) * nanos);
        long gcNow = asksCollectors ? gcMillis.getAsLong() : Unknown.NUMBER;
        double machineTicks = now.machineTicks() - before.machineTicks();
        ProcessWindow window = new ProcessWindow(
                Math.min(processors, now.quotaCores()),
                share(before.userNanos(), now.userNanos(), nanos),
                share(before.systemNanos(), now.systemNanos(), nanos),
                share(lastCompilerNanos, compilersNow, nanos),
                share(before.machineBusyTicks(), now.machineBusyTicks(), machineTicks),
                passed(before.throttledNanos(), now.throttledNanos()),
                last == null ? Optional.empty() : passed(MILLI * lastGcMillis, MILLI * gcNow),
                late);
        last = now;
        lastNanos = nowNanos;
        lastGcMillis = gcNow;
        lastCompilerNanos = compilersNow;
        return window;
    }

    /** Empty where one of the two readings is unknown. */
    private static Optional<Duration> passed(long before, long now) {
        return before < 0 || now < 0 ? Optional.empty() : Optional.of(Duration.ofNanos(Math.max(0, now - before)));
    }

    private static OptionalDouble share(long before, long now, double of) {
        if (before < 0 || now < 0 || of <= 0) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(Math.max(0, now - before) / of);
    }
}
