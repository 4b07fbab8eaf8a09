package io.lifeguard.pool.diagnosis.evidence.carrier;

import io.lifeguard.pool.Pools;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Mounted;
import io.lifeguard.pool.os.LiveThreads;
import io.lifeguard.pool.os.VirtualThreads;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches the carriers of this JVM's virtual threads. Confined to the monitor's thread, which is a platform thread.
 *
 * <p>From Java 24 on, the scheduler's management bean tells how many virtual threads queue for a carrier; a read takes
 * less than a microsecond. Once in a window a virtual thread is started, and the delay until it runs is measured. It
 * runs for less than a microsecond itself. While all carriers are taken, it is measured for how long they wait for a
 * CPU themselves. Nothing is started, and no management bean is made, where no virtual thread has run yet.
 */
public final class Carriers {

    /** The JVM makes this group of threads with its first carrier. Asking for it takes less than a microsecond. */
    private static final String GROUP = "CarrierThreads";

    private final LongSupplier nanos;
    private @Nullable ThreadFactory threads; // made once there are carriers
    private final CarrierPrint print;
    private @Nullable Scheduler scheduler; // made once there are carriers; null for good where the JVM has no such bean
    private @Nullable ThreadGroup group; // of the carriers; null until there are some
    private @Nullable CarrierCpuWaits cpuWaits; // made for the first carriers that are taken
    private boolean arePresent;
    private int parallelism = Runtime.getRuntime().availableProcessors();
    private int looks;
    private int taken;
    private OptionalInt queued = OptionalInt.empty();
    private OptionalInt running = OptionalInt.empty();
    private @Nullable Probe probe;

    /**
     * Creates a watch.
     *
     * @param nanos the monotonic clock
     */
    public Carriers(LongSupplier nanos) {
        this.nanos = nanos;
        this.print = new CarrierPrint(nanos);
    }

    public static boolean canExist() {
        return VirtualThreads.exist();
    }

    public boolean arePresent() {
        return arePresent;
    }

    /** {@return how many virtual threads had a carrier at the latest look; empty where the JVM does not tell} */
    public OptionalInt running() {
        return running;
    }

    /** Asks the scheduler once more in this window, where it tells. */
    public void look() {
        search();
        Scheduler known = scheduler;
        if (known == null) {
            if (probe != null && !probe.hasStarted()) { // nothing else tells that carriers may be taken
                measureCpuWaits();
            }
            return;
        }
        parallelism = known.parallelism();
        int own = probe == null || probe.hasStarted() ? 0 : 1; // a thread of the monitor's is no evidence
        int waiting = Math.max(0, (int) known.queued() - own);
        int mounted = known.mounted();
        running = OptionalInt.of(mounted);
        looks++;
        if (waiting > 0 && mounted >= parallelism) {
            taken++;
            measureCpuWaits();
        }
        queued = OptionalInt.of(waiting);
    }

    private void search() {
        if (arePresent || !canExist()) {
            return;
        }
        ThreadGroup root = LiveThreads.topmostGroup();
        ThreadGroup[] groups = new ThreadGroup[root.activeGroupCount() + 8];
        int count = root.enumerate(groups, false);
        for (int i = 0; i < count && group == null; i++) {
            group = GROUP.equals(groups[i].getName()) ? groups[i] : null;
        }
        arePresent = group != null;
        scheduler = arePresent ? Scheduler.ofThisJvm() : null;
    }

    private void measureCpuWaits() {
        CarrierCpuWaits known = cpuWaits;
        if (known == null) {
            known = new CarrierCpuWaits(nanos, this::threads);
            cpuWaits = known;
        }
        if (!known.hasBegun()) {
            known.begin();
        }
    }

    List<Thread> threads() {
        ThreadGroup known = group;
        if (known == null) {
            return List.of();
        }
        Thread[] all = new Thread[known.activeCount() + 8];
        return Arrays.stream(all, 0, known.enumerate(all, false))
                .filter(ForkJoinWorkerThread.class::isInstance) // Java 25 has its timer in this group, too
                .toList();
    }

    /**
     * Ends a window, and starts the next virtual thread.
     *
     * @param late from which delay on it matters what the carriers run
     * @param share at which share of the looks the carriers must be taken, so that it matters
     */
    public CarrierLooks advance(Duration late, double share) {
        Duration delay = probe == null ? Duration.ZERO : Duration.ofNanos(probe.delay(nanos.getAsLong()));
        boolean hasStarted = probe == null || probe.hasStarted();
        boolean isLate = delay.compareTo(late) >= 0;
        OptionalDouble cpuWait =
                isLate && cpuWaits != null ? cpuWaits.share() : OptionalDouble.empty(); // before the print, which waits
        CarrierLooks seen = new CarrierLooks(parallelism, looks, taken, queued, delay, hasStarted, List.of(), cpuWait);
        boolean isStarved = isLate && seen.areTaken(share);
        CarrierLooks window = isStarved ? seen.with(mounted()) : seen;
        if (!isStarved) {
            print.forget();
        }
        looks = 0;
        taken = 0;
        if (arePresent && hasStarted) {
            begin();
        }
        return window;
    }

    private void begin() {
        ThreadFactory factory = threads == null ? VirtualThreads.unnamed() : threads;
        threads = factory;
        if (cpuWaits != null) {
            cpuWaits.forget();
        }
        Probe next = new Probe();
        Thread thread = factory.newThread(next);
        thread.setName("lifeguard-probe");
        probe = next;
        next.start = nanos.getAsLong();
        thread.start();
    }

    private List<Mounted> mounted() {
        List<Mounted> printed = scheduler == null ? List.of() : print.mounted();
        return printed.isEmpty() ? KeptCarriers.of(Pools.live(), parallelism) : printed;
    }

    /** A virtual thread that notes when it runs. */
    private final class Probe implements Runnable {
        private long start; // written before the thread starts
        private volatile long started = Long.MIN_VALUE; // written once, by the virtual thread; a stale read is later

        @Override
        public void run() {
            started = nanos.getAsLong();
        }

        boolean hasStarted() {
            return started != Long.MIN_VALUE;
        }

        long delay(long now) {
            long until = started;
            return Math.max(0, (until == Long.MIN_VALUE ? now : until) - start);
        }
    }
}
