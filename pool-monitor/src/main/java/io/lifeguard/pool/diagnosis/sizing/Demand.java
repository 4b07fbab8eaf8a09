package io.lifeguard.pool.diagnosis.sizing;

/**
 * What one task asks for: CPU, waiting outside, a lock. Immutable; the parameters of a {@link ServiceCurve}.
 *
 * @param cpu CPU time of a task in seconds, including what other threads of the process burn for it
 * @param outside how long a task waits for something outside the process in seconds; neither for a CPU nor for a lock
 *     of this process
 * @param lock how long a task holds the one lock that tasks wait for, in seconds; 0 when there is none
 * @param cores how many CPUs the tasks have for themselves; may be a fraction
 * @param growth how {@code outside} grows with the number of tasks that are outside at once: with that number to this
 *     power. 0 when calls do not disturb each other, 1 when twice as many calls take twice as long each
 * @param concurrency the number of tasks outside at once for which {@code outside} holds; at least 1, without meaning
 *     when growth is 0
 */
public record Demand(double cpu, double outside, double lock, double cores, double growth, double concurrency) {

    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if a time is negative or all are 0, if there are no cores, if growth is not
     *     between 0 and 1, or if concurrency is less than 1
     */
    public Demand {
        requireTime("cpu", cpu);
        requireTime("outside", outside);
        requireTime("lock", lock);
        if (cpu + outside + lock == 0) {
            throw new IllegalArgumentException("a task must take some time (was 0 s)");
        }
        require(cores > 0 && Double.isFinite(cores), "cores", "> 0", cores);
        require(growth >= 0 && growth <= 1, "growth", "between 0 and 1", growth);
        require(concurrency >= 1 && Double.isFinite(concurrency), "concurrency", ">= 1", concurrency);
    }

    /**
     * {@return the demand of tasks that compute and wait outside, need no lock, and do not slow each other down
     * outside}
     *
     * @param cpu seconds of CPU time
     * @param outside seconds of waiting
     * @param cores CPUs
     */
    public static Demand of(double cpu, double outside, double cores) {
        return new Demand(cpu, outside, 0, cores, 0, 1);
    }

    /** {@return service time in seconds of a task that meets no other} */
    public double alone() {
        return cpu / Math.min(1, cores) + outside(1) + lock;
    }

    /**
     * {@return the throughput in tasks per second that no number of workers exceeds; infinite when tasks only wait
     * outside}
     */
    public double ceiling() {
        return Math.min(Math.min(cores / cpu, 1 / lock), growth == 1 ? 1 / outside(1) : Double.POSITIVE_INFINITY);
    }

    /** {@return seconds outside when so many tasks are there} */
    double outside(int tasks) {
        return growth == 0 ? outside : outside * Math.pow(tasks / concurrency, growth);
    }

    Demand withTimes(double newCpu, double newOutside) {
        return new Demand(newCpu, newOutside, lock, cores, growth, concurrency);
    }

    Demand withCores(double newCores) {
        return new Demand(cpu, outside, lock, newCores, growth, concurrency);
    }

    private static void requireTime(String name, double value) {
        require(value >= 0 && Double.isFinite(value), name, ">= 0", value);
    }

    private static void require(boolean isGood, String name, String bound, double value) {
        if (!isGood) {
            throw new IllegalArgumentException(name + " must be " + bound + " (was " + value + ")");
        }
    }
}
