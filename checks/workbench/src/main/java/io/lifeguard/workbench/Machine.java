package io.lifeguard.workbench;

import java.util.ArrayList;
import java.util.List;

/**
 * The conditions under which a process runs, made on this machine. Immutable.
 *
 * @param busyProcesses other processes that compute all the time, at normal priority
 * @param cores the CPUs that the process may use on average, or 0 for all
 * @param niceness how much lower its priority is, 0 for normal
 * @param cpus the numbers of the CPUs on which it may run, as {@code taskset} reads them, or empty for all
 * @param jvmArguments arguments of a JVM
 */
public record Machine(int busyProcesses, double cores, int niceness, String cpus, List<String> jvmArguments) {
    /** This machine as it is. */
    public static final Machine UNCHANGED = new Machine(0, 0, 0, "", List.of());

    public Machine {
        jvmArguments = List.copyOf(jvmArguments);
    }

    public Machine beside(int processes) {
        return new Machine(processes, cores, niceness, cpus, jvmArguments);
    }

    public Machine limitedTo(double quota) {
        return new Machine(busyProcesses, quota, niceness, cpus, jvmArguments);
    }

    public Machine nicer(int by) {
        return new Machine(busyProcesses, cores, by, cpus, jvmArguments);
    }

    public Machine onCpus(String numbers) {
        return new Machine(busyProcesses, cores, niceness, numbers, jvmArguments);
    }

    public Machine with(String... arguments) {
        List<String> all = new ArrayList<>(jvmArguments);
        all.addAll(List.of(arguments));
        return new Machine(busyProcesses, cores, niceness, cpus, all);
    }
}
