package io.lifeguard.pool.diagnosis.seen;

import io.lifeguard.pool.diagnosis.window.Threshold;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The looks of one window at the carriers, which are the platform threads on which the JVM runs its virtual threads.
 * Immutable.
 *
 * @param carriers how many there are at most, by the scheduler's parallelism
 * @param looks how often the scheduler was asked in the window; 0 before Java 24, which does not tell
 * @param taken at how many of these looks all carriers had a thread, and others queued
 * @param queued how many virtual threads queued for a carrier at the latest look; empty where the JVM does not tell
 * @param startDelay how late the latest virtual thread of the monitor started, or for how long it has been waiting
 * @param hasStarted whether that thread has started
 * @param mounted what the carriers run; empty unless threads start late
 * @param cpuWait for which share of the time the carriers were ready to run and had no CPU, 0 to 1; empty unless
 *     threads start late, and where the system does not tell
 */
public record CarrierLooks(
        int carriers,
        int looks,
        int taken,
        OptionalInt queued,
        Duration startDelay,
        boolean hasStarted,
        List<Mounted> mounted,
        OptionalDouble cpuWait) {

    /**
     * From which delay on a virtual thread starts late, so that it matters what the carriers run: part of
     * {@code carriers-starved}, in seconds.
     */
    public static final Threshold LATE = new Threshold(
            "carriers-starved.delay",
            0.1,
            "seconds after which a virtual thread starts; 0.0024 at most without starvation");

    /** At which share of the looks all carriers are taken if they are starved: part of {@code carriers-starved}. */
    public static final Threshold TAKEN = new Threshold(
            "carriers-starved.looks",
            0.9,
            "share of looks in which all carriers were taken and others queued; 0.3 when healthy");

    /**
     * From which share of the time on, in which the carriers waited for a CPU, it is unknown what they would do with
     * CPUs of their own: part of {@code carriers-starved}.
     */
    public static final Threshold CPU_WAIT = new Threshold(
            "carriers-starved.cpu-wait",
            0.8,
            "share of the time in which the carriers waited for a CPU; 0.64 at most when sick, 0.88 on a full machine");

    /**
     * {@return whether all carriers were taken at so many looks} Also where the JVM does not tell.
     *
     * @param share the least share of the looks, 0 to 1
     */
    public boolean areTaken(double share) {
        return queued.isEmpty() || taken >= share * looks;
    }

    /** Copies the list. */
    public CarrierLooks {
        mounted = List.copyOf(mounted);
    }

    /**
     * {@return the part of the delay that is not due to the machine} While a carrier waits for a CPU, the thread on it
     * keeps nothing from the others that they could have. Where that wait is unknown, this is the whole delay.
     */
    public Duration ownDelay() {
        return Duration.ofNanos(Math.round(startDelay.toNanos() * (1 - Math.min(1, cpuWait.orElse(0)))));
    }

    /**
     * {@return the same with what the carriers run}
     *
     * @param seen what they run, not null
     */
    public CarrierLooks with(List<Mounted> seen) {
        return new CarrierLooks(carriers, looks, taken, queued, startDelay, hasStarted, seen, cpuWait);
    }

    /**
     * {@return the same with how long the carriers waited for a CPU}
     *
     * @param share of the time, 0 to 1, not null
     */
    public CarrierLooks waited(OptionalDouble share) {
        return new CarrierLooks(carriers, looks, taken, queued, startDelay, hasStarted, mounted, share);
    }

    /** Why a virtual thread keeps its carrier. */
    public enum Why {
        /** It computes. */
        COMPUTES,
        /** It waits until another thread has initialised a class, or waits while it does so itself. */
        CLASS_INITIALISATION,
        /** It waits for a monitor, or waits while it holds one, which keeps the carrier before Java 24. */
        MONITOR,
        /** It waits in or below a native method. */
        NATIVE
    }

    /**
     * A virtual thread on a carrier.
     *
     * @param carrier the name of the carrier
     * @param why why it keeps the carrier
     * @param place the first frame that is the user's own, as {@code com.example.Orders.load(Orders.java:42)}
     * @param object the class that is initialised or the monitor that is waited for; empty when there is none
     * @param stack its stack, top first
     */
    public record Mounted(String carrier, Why why, String place, String object, List<String> stack) {

        /** Copies the stack. */
        public Mounted {
            stack = List.copyOf(stack);
        }
    }
}
