package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.diagnosis.window.CarrierLooks;
import io.lifeguard.pool.diagnosis.window.CarrierLooks.Mounted;
import io.lifeguard.pool.os.VirtualThreads;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Watches the carriers of this JVM's virtual threads. Confined to the monitor's thread, which is a platform thread.
 *
 * <p>From Java 24 on, the scheduler's management bean tells how many virtual threads queue for a carrier; a read takes
 * less than a microsecond. Once in a window a virtual thread is started, and the delay until it runs is measured. It
 * runs for less than a microsecond itself. Nothing is started where no virtual thread has run yet.
 */
public final class Carriers {

    private static final String SCHEDULER = "jdk.management:type=VirtualThreadScheduler";
    private static final String COMMANDS = "com.sun.management:type=DiagnosticCommand";
    private static final String[] ATTRIBUTES = {
        "Parallelism", "PoolSize", "MountedVirtualThreadCount", "QueuedVirtualThreadCount"
    };

    /** Before Java 24 only threads tell that there are carriers, so they are asked in one of so many windows. */
    private static final int WINDOWS_PER_SEARCH = 5;

    private static final String CARRIER_CLASS = "jdk.internal.misc.CarrierThread";

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final LongSupplier nanos;
    private final @Nullable ThreadFactory threads =
            VirtualThreads.exist() ? VirtualThreads.factory("lifeguard-probe") : null;
    private final @Nullable ObjectName scheduler = registered(SCHEDULER);
    private boolean arePresent;
    private int windows;
    private int parallelism = Runtime.getRuntime().availableProcessors();
    private int looks;
    private int taken;
    private OptionalInt queued = OptionalInt.empty();
    private @Nullable Probe probe;

    /**
     * Creates a watch.
     *
     * @param nanos the monotonic clock
     */
    public Carriers(LongSupplier nanos) {
        this.nanos = nanos;
    }

    private @Nullable ObjectName registered(String name) {
        try {
            ObjectName bean = new ObjectName(name);
            return server.isRegistered(bean) ? bean : null;
        } catch (JMException | SecurityException e) { // the monitor does without
            return null;
        }
    }

    /** {@return whether this JVM has virtual threads, and so may have carriers} */
    public static boolean canExist() {
        return VirtualThreads.exist();
    }

    /** {@return whether virtual threads have run in this JVM, as far as is known} */
    public boolean arePresent() {
        return arePresent;
    }

    /** Asks the scheduler once more in this window, where it tells. */
    public void look() {
        if (scheduler == null || threads == null) {
            return;
        }
        try {
            AttributeList values = server.getAttributes(scheduler, ATTRIBUTES);
            if (values.size() < ATTRIBUTES.length) {
                return;
            }
            parallelism = number(values, 0);
            arePresent |= number(values, 1) > 0;
            int own = probe == null || probe.hasStarted() ? 0 : 1; // a thread of the monitor's is no evidence
            int waiting = Math.max(0, number(values, 3) - own);
            looks++;
            taken += waiting > 0 && number(values, 2) >= parallelism ? 1 : 0;
            queued = OptionalInt.of(waiting);
        } catch (JMException | SecurityException e) { // a look less
            return;
        }
    }

    private static int number(AttributeList values, int index) {
        return ((Number) ((Attribute) values.get(index)).getValue()).intValue();
    }

    /**
     * Ends a window, and starts the next virtual thread.
     *
     * @param late from which delay on it matters what the carriers run
     * @return what was seen in it
     */
    public CarrierLooks advance(Duration late) {
        search();
        Duration delay = probe == null ? Duration.ZERO : Duration.ofNanos(probe.delay(nanos.getAsLong()));
        boolean hasStarted = probe == null || probe.hasStarted();
        boolean isLate = delay.compareTo(late) >= 0;
        CarrierLooks window =
                new CarrierLooks(parallelism, looks, taken, queued, delay, hasStarted, isLate ? mounted() : List.of());
        looks = 0;
        taken = 0;
        if (arePresent && hasStarted && threads != null) {
            probe = new Probe();
            threads.newThread(probe).start();
        }
        return window;
    }

    private void search() {
        boolean isTurn = windows++ % WINDOWS_PER_SEARCH == 0;
        if (arePresent || !isTurn || scheduler != null || threads == null) {
            return;
        }
        arePresent = Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getClass().getName().equals(CARRIER_CLASS));
    }

    /** The JVM's own print of its threads shows what is mounted on a carrier: a millisecond for few threads. */
    private List<Mounted> mounted() {
        ObjectName commands = registered(COMMANDS);
        if (commands == null) {
            return List.of();
        }
        try {
            Object print = server.invoke(
                    commands, "threadPrint", new Object[] {new String[0]}, new String[] {String[].class.getName()});
            return MountedThreads.read(String.valueOf(print));
        } catch (JMException | SecurityException e) { // the finding comes without a place
            return List.of();
        }
    }

    /** A virtual thread that notes when it runs. */
    private final class Probe implements Runnable {
        private final long start = nanos.getAsLong();
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
