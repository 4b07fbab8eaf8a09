package io.lifeguard.examples.fleet;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.Severity;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The findings of the instances of one service, in three phases. Of 300 instances, 250 get one lock, which turns
 * critical on 50 and is gone again on 10. 30 wait for a connection pool. 20 are well. Fleets of other sizes have the
 * same shares. Immutable.
 *
 * @param instances how many there are, at least 30
 */
record PlayedFindings(int instances) {

    /** How many phases there are. */
    static final int PHASES = 3;

    private static final Instant DEPLOYED = Instant.parse("2026-11-25T12:00:00Z");

    /** How many instances get the lock. */
    int withLock() {
        return instances * 5 / 6;
    }

    /** How many of them have lost it at the end. */
    int cured() {
        return instances / 30;
    }

    /** How many wait for a connection pool. */
    int inLine() {
        return instances / 10;
    }

    /** Tells the listener of an instance what happens in one phase: findings, worse findings, ends. */
    void play(int phase, int instance, FindingListener listener) {
        boolean hasLock = instance < withLock();
        switch (phase) {
            case 0 -> {
                if (hasLock) {
                    listener.raised(lock(Severity.WARNING, instance));
                } else if (instance < withLock() + inLine()) {
                    listener.raised(line(instance));
                }
            }
            case 1 -> {
                if (hasLock) {
                    listener.updated(lock(Severity.WARNING, instance)); // new numbers are no event
                }
                if (hasLock && instance % 5 == 0) {
                    listener.escalated(lock(Severity.CRITICAL, instance));
                }
            }
            default -> {
                if (instance < cured()) {
                    listener.resolved(lock(Severity.WARNING, instance));
                }
            }
        }
    }

    private static Finding lock(Severity severity, int instance) {
        return new Finding(
                "lock-contention",
                severity,
                "orders",
                "7 of 8 busy workers wait for the monitor of com.example.Settings@" + Integer.toHexString(instance),
                "Hold the lock for a shorter time or remove it",
                Map.of("place", "com.example.Settings.get(Settings.java:12)"),
                OptionalInt.of(2),
                DEPLOYED.plusSeconds(instance));
    }

    private static Finding line(int instance) {
        return new Finding(
                "downstream-saturated",
                Severity.WARNING,
                "orders",
                "6 of 8 workers queue for a connection pool of HikariCP",
                "Raise the limit that they wait for",
                Map.of("place", "com.example.Orders.load(Orders.java:42)"),
                OptionalInt.empty(),
                DEPLOYED.plusSeconds(instance));
    }
}
