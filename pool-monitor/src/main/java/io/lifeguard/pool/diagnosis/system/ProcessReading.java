package io.lifeguard.pool.diagnosis.system;

import io.lifeguard.pool.os.Unknown;

/**
 * The CPU times of this process and this machine until now. Immutable. An unknown figure is {@link Unknown#NUMBER}.
 *
 * @param userNanos CPU time of the process in user mode
 * @param systemNanos CPU time of the process in the kernel
 * @param machineTicks all time of the machine's CPUs
 * @param quotaCores the mean number of CPUs that the container's quota allows; infinite without a quota
 * @param throttledNanos the longest time that the quota can have stopped the process
 */
public record ProcessReading(
        long userNanos,
        long systemNanos,
        long machineBusyTicks,
        long machineTicks,
        double quotaCores,
        long throttledNanos) {}
