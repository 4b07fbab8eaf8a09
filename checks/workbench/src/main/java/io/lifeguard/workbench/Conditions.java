package io.lifeguard.workbench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes the conditions of a {@link Machine} for one process, until closed. One thread only.
 *
 * <p>A quota of CPU is made by a control group. Where none can be made, a shell stops the process and lets it continue
 * ten times a second, so that it runs for the right share of the time.
 */
public final class Conditions implements AutoCloseable {
    private static final double PERIOD_SECONDS = 0.1;
    private static final String JOIN_AND_RUN = "echo $$ > \"$1\" && shift && exec \"$@\"";
    private static final String STOP_AND_CONTINUE =
            "while kill -STOP $1 && sleep $2 && kill -CONT $1 && sleep $3; do :; done";

    private final Machine machine;
    private final Optional<BusyProcesses> busy;
    private final Optional<CpuQuota> quota;
    private Optional<Process> throttle = Optional.empty();

    private Conditions(Machine machine, Optional<BusyProcesses> busy, Optional<CpuQuota> quota) {
        this.machine = machine;
        this.busy = busy;
        this.quota = quota;
    }

    /** Starts the busy processes and makes the control group. */
    public static Conditions make(Machine machine) throws IOException {
        Optional<CpuQuota> quota = machine.cores() > 0 ? CpuQuota.of(machine.cores()) : Optional.empty();
        Optional<BusyProcesses> busy = machine.busyProcesses() > 0
                ? Optional.of(BusyProcesses.start(machine.busyProcesses()))
                : Optional.empty();
        return new Conditions(machine, busy, quota);
    }

    /** How a quota is made on this machine, for a report. */
    public static String wayOfQuota() {
        try (CpuQuota quota = CpuQuota.of(1).orElse(null)) {
            return quota == null
                    ? "a shell that stops the process and lets it continue, ten times a second"
                    : "a control group of version " + quota.version();
        }
    }

    /** Whether the quota of this machine is made by a control group. */
    public boolean hasControlGroup() {
        return quota.isPresent();
    }

    /** The command that starts the program under these conditions. */
    public List<String> command(String program) {
        List<String> command = new ArrayList<>();
        quota.ifPresent(group -> command.addAll(
                List.of("/bin/sh", "-c", JOIN_AND_RUN, "sh", group.members().toString())));
        if (machine.niceness() > 0) {
            command.addAll(List.of("nice", "-n", Integer.toString(machine.niceness())));
        }
        if (!machine.cpus().isEmpty()) {
            command.addAll(List.of("taskset", "-c", machine.cpus()));
        }
        command.add(program);
        return command;
    }

    /** To be called once the process runs. */
    public void started(long pid) throws IOException {
        if (machine.cores() > 0 && quota.isEmpty()) {
            double running = Math.min(1, machine.cores() / Runtime.getRuntime().availableProcessors());
            throttle = Optional.of(new ProcessBuilder(
                            "/bin/sh",
                            "-c",
                            STOP_AND_CONTINUE,
                            "sh",
                            Long.toString(pid),
                            Double.toString(PERIOD_SECONDS * (1 - running)),
                            Double.toString(PERIOD_SECONDS * running))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
        }
    }

    /** To be called after the process has ended. */
    @Override
    public void close() {
        throttle.ifPresent(Process::destroyForcibly);
        busy.ifPresent(BusyProcesses::close);
        quota.ifPresent(CpuQuota::close);
    }
}
