package io.lifeguard.pool.diagnosis.sizing;

/**
 * How many CPUs a pool can get beside other processes. Immutable.
 *
 * <p>What others use now is not what they leave to a pool of another size. There are two extremes:
 *
 * <ul>
 *   <li>The system divides the CPUs among groups of processes, as containers are. Then the share stays as measured.
 *   <li>The system divides them among threads. Then o threads of others and r runnable ones of this process get o and r
 *       parts of the CPUs. So o = r · (CPUs of others) ÷ (CPUs of this process) as measured, and r workers get
 *       {@code all · r ÷ (r + o)}. Source: Linux gives runnable threads of one priority equal time
 *       (Documentation/scheduler/sched-eevdf.rst).
 * </ul>
 *
 * <p>Other processes may also end. So the number of CPUs is between {@link #least()} and {@link #most()}. Nothing tells
 * which, so sizes are said for the middle.
 *
 * @param least the CPUs that the pool has now
 * @param rivals o, the threads of other processes that want a CPU, as far as they can be told; 0 without any
 */
record CpuShare(double least, double most, double rivals) {

    /** CPUs that an otherwise idle machine uses. Those processes sleep most of the time, and take no part in turns. */
    private static final double IDLE_MACHINE = 0.06;

    static CpuShare of(double cores, double all, double others, double runnable) {
        double most = Math.max(cores, Math.min(all, cores + others));
        double computing = Math.max(0, others - IDLE_MACHINE);
        return new CpuShare(cores, most, runnable > cores ? computing * runnable / cores : 0);
    }

    public double middle() {
        return (least + most) / 2;
    }

    /**
     * {@return the CPUs that so many workers get while others compute, divided by those of the present ones, if the
     * system divides CPUs among threads; at most 1}
     *
     * @param runnable how many workers want a CPU, positive
     */
    double kept(double runnable) {
        return rivals == 0 ? 1 : Math.min(1, most * runnable / (runnable + rivals) / least);
    }
}
