package io.lifeguard.pool.benchmarks.scenarios;

import java.time.Duration;

/**
 * The settings that a fork gets from its parent. Immutable.
 *
 * @param warmUp how long the pool works at least before anything counts
 * @param measured how long it is measured
 * @param stepsPerMicro steps of {@link Spin} per microsecond, calibrated once so that all forks do the same work
 * @param freshTasks whether every submission is a new object, or always the same object
 * @param memoryTasks tasks to run before memory is measured
 * @param seed seed of everything random
 */
public record Setup(
        Duration warmUp, Duration measured, double stepsPerMicro, boolean freshTasks, long memoryTasks, long seed) {
    int steps(double micros) {
        return (int) Math.round(micros * stepsPerMicro);
    }
}
