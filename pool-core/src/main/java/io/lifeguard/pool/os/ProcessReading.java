package io.lifeguard.pool.os;

/**
 * The CPU times of this process and this machine, as Linux has counted them until now. Immutable; what is not known is
 * {@link #UNKNOWN}.
 *
 * @param userNanos CPU time of the process in user mode
 * @param systemNanos CPU time of the process in the kernel
 * @param machineBusyTicks time that CPUs of the machine were busy with any process, summed over CPUs
 * @param machineTicks all time of the machine's CPUs
 * @param quotaCores how many CPUs the container's quota allows, in the mean; infinite when there is none
 * @param throttledNanos how long the quota has stopped the process, at most; never unknown
 */
public record ProcessReading(
        long userNanos,
        long systemNanos,
        long machineBusyTicks,
        long machineTicks,
        double quotaCores,
        long throttledNanos) {

    /** The system does not say. */
    public static final long UNKNOWN = -1;
}
