package io.lifeguard.pool.micrometer;

import java.time.Duration;
import java.util.List;

/**
 * What users choose. Immutable.
 *
 * @param percentiles which, from 0 to 1
 * @param histograms whether to publish histograms
 * @param kinds how many kinds of tasks have meters of their own
 * @param mostPools how many pools have meters
 * @param standardTimers whether to publish {@code executor} and {@code executor.idle}
 * @param standardTimersAfter how old a pool has to be before it gets these
 * @param keptFor for how long the meters of a terminated pool stay
 * @param pages what stands before a finding's id in the address of its page
 * @param findings where findings come from
 */
record MeterOptions(
        List<Double> percentiles,
        boolean histograms,
        int kinds,
        int mostPools,
        boolean standardTimers,
        Duration standardTimersAfter,
        Duration keptFor,
        String pages,
        FindingSource findings) {}
