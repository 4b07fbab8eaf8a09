package io.lifeguard.pool.micrometer;

import java.time.Duration;
import java.util.List;

/**
 * The choices of a binder's user. Immutable.
 *
 * @param percentiles which percentiles to publish, from 0 to 1
 * @param histograms whether to publish histograms
 * @param kinds how many kinds of tasks have meters of their own
 * @param mostPools how many pools have meters
 * @param standardTimers whether to publish {@code executor} and {@code executor.idle}
 * @param standardTimersAfter the age at which a pool gets these timers
 * @param keptFor for how long the meters of a terminated pool stay
 * @param openTelemetryNames whether to publish the meters of OpenTelemetry's proposed names, too
 * @param pages prefix of the address of a finding's page
 */
record MeterOptions(
        List<Double> percentiles,
        boolean histograms,
        int kinds,
        int mostPools,
        boolean standardTimers,
        Duration standardTimersAfter,
        Duration keptFor,
        boolean openTelemetryNames,
        String pages) {}
