package io.lifeguard.pool.corpus.real;

import io.lifeguard.pool.corpus.real.systems.Healthy;
import io.lifeguard.pool.corpus.real.systems.HealthyPrograms;
import io.lifeguard.pool.corpus.real.systems.RealSystem;
import io.lifeguard.pool.corpus.real.systems.Systems;
import io.lifeguard.pool.corpus.real.virtual.VirtualThreadsCommand;
import io.lifeguard.pool.corpus.report.MachinesReport;
import io.lifeguard.pool.corpus.run.MachineKind;
import io.lifeguard.workbench.SideBySide;
import io.lifeguard.workbench.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/** The command that plays the real systems, prints the report, and returns an exit code. One thread only. */
public final class RealSystems {

    private static final String HELP = """
            Usage: java -jar corpus-real.jar [options]

            Starts each system twice, sick and cured, and says whether its sickness was named, where, how soon,
            and what following the advice gained.

              --only A,B         systems whose names contain one of these
              --quick            a representative part, 10 s each; on a quiet machine sick and cured side by side
              --healthy          healthy programs instead, which must print nothing (ten minutes each, with
                                 --quick 20 s)
              --outside          watched by 'lifeguard watch', without a monitor of their own
              --seconds N        how long each form plays (default: 40)
              --machine A,B      on these machines, which are made from this one: quiet, beside (four processes
                                 compute), one-cpu, quota (half a CPU), slow-compiler
              --foreign-load N   N busy threads of another process meanwhile (default: 0)
              --out DIRECTORY    where the report is written (default: results)
              --verbose          shows what stood when, and what the systems printed
              --list             names the systems
              --virtual          programs on virtual threads instead; first, and with options of its own

            With --quick a system that is judged wrongly is played once more, and must be judged rightly then.
            Exit status: 0 when at least nine tenths of the systems have the right cause and place, with --quick
            all of them, and no cured form has a finding; otherwise 1; 2 for wrong arguments.
            """;

    private static final int LINES_SHOWN = 30;

    private Set<String> only = Set.of();
    private boolean quick;
    private boolean healthy;
    private boolean outside;
    private long seconds;
    private List<MachineKind> machines = List.of();
    private int foreignLoad;
    private Path out = Path.of("results");
    private boolean verbose;

    private RealSystems() {}

    /** Runs the command and exits with its status. */
    public static void main(String[] arguments) throws IOException {
        Locale.setDefault(Locale.ROOT);
        if (arguments.length > 0 && arguments[0].equals("--virtual")) {
            System.exit(VirtualThreadsCommand.run(List.of(arguments).subList(1, arguments.length)));
        }
        RealSystems command = new RealSystems();
        if (List.of(arguments).contains("--list")) {
            Systems.seenFromOutside().forEach(system -> System.out.printf("%-28s %s%n", system.name(), system.about()));
            return;
        }
        try {
            command.parse(List.of(arguments).iterator());
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.print(HELP);
            System.exit(2);
        }
        System.exit(command.healthy ? command.runHealthy() : command.run());
    }

    private void parse(Iterator<String> arguments) {
        while (arguments.hasNext()) {
            String name = arguments.next();
            switch (name) {
                case "--only" -> only = Set.of(value(name, arguments).split(",", -1));
                case "--quick" -> quick = true;
                case "--healthy" -> healthy = true;
                case "--outside" -> outside = true;
                case "--seconds" -> seconds = Long.parseLong(value(name, arguments));
                case "--machine" -> machines = MachineKind.parse(value(name, arguments));
                case "--foreign-load" -> foreignLoad = Integer.parseInt(value(name, arguments));
                case "--out" -> out = Path.of(value(name, arguments));
                case "--verbose" -> verbose = true;
                default -> throw new IllegalArgumentException("there is no option \"" + name + "\"");
            }
        }
        if (!machines.isEmpty() && (healthy || outside)) {
            throw new IllegalArgumentException("--machine goes with neither --healthy nor --outside");
        }
        if (seconds == 0) {
            seconds = healthy ? (quick ? 20 : 600) : (quick ? 10 : 40);
        }
    }

    private static String value(String name, Iterator<String> values) {
        if (!values.hasNext()) {
            throw new IllegalArgumentException(name + " needs a value behind it");
        }
        return values.next();
    }

    private int run() throws IOException {
        return machines.isEmpty() ? runOnThisMachine() : runOnMachines();
    }

    private int runOnThisMachine() throws IOException {
        List<RealOutcome> last = new ArrayList<>();
        boolean allRan = playAll(MachineKind.QUIET, last);
        RealReport report = new RealReport(last);
        write((outside ? "outside-" : "") + (quick ? "real-quick.md" : "real.md"), report.markdown());
        boolean isGood = quick ? last.stream().allMatch(RealOutcome::isRight) : report.isGood();
        return isGood && allRan ? 0 : 1;
    }

    /** On a machine that others use, nine tenths must be right, in the short form too. */
    private int runOnMachines() throws IOException {
        MachinesReport report = new MachinesReport();
        boolean isGood = true;
        for (MachineKind machine : machines) {
            System.err.println("machine: " + machine.label());
            List<RealOutcome> last = new ArrayList<>();
            isGood &= playAll(machine, last);
            for (RealOutcome outcome : last) {
                report.add(outcome.system().name(), machine, outcome.cell());
            }
            RealReport part = new RealReport(last);
            report.conclude(machine, part.conclusion());
            isGood &= part.isGood();
        }
        write(quick ? "machines-real-quick.md" : "machines-real.md", report.markdown());
        return isGood ? 0 : 1;
    }

    /** Plays all systems that are asked for. Returns whether all could be run. */
    private boolean playAll(MachineKind machine, List<RealOutcome> last) {
        boolean allRan = true;
        for (RealSystem system : outside ? Systems.seenFromOutside() : Systems.all()) {
            if ((quick && !system.quick()) || !isWanted(system.name())) {
                continue;
            }
            try {
                boolean isQuiet = machine == MachineKind.QUIET && foreignLoad == 0;
                RealOutcome outcome = play(system, machine, quick && isQuiet);
                if (!outcome.isRight() && quick) {
                    System.err.println("repeated: " + system.name());
                    outcome = play(system, machine, false);
                }
                last.add(outcome);
            } catch (IllegalStateException e) {
                System.err.println(system.name() + ": " + e.getMessage());
                allRan = false;
            }
        }
        return allRan;
    }

    private boolean isWanted(String name) {
        return only.isEmpty() || only.stream().anyMatch(name::contains);
    }

    /** Plays the healthy programs. They must raise no finding, and nothing may be logged. */
    private int runHealthy() throws IOException {
        Table table = new Table("program", "seconds", "per s", "findings", "lines in the log");
        boolean isSilent = true;
        for (Healthy program : HealthyPrograms.all()) {
            if (isWanted(program.name())) {
                RealRun run = RealRun.of(program, Duration.ofSeconds(seconds));
                Set<String> found = run.course().found();
                isSilent &= found.isEmpty() && run.log().isEmpty();
                System.err.printf(
                        "%-28s found %s, %d lines%n",
                        program.name(), found, run.log().size());
                tell(run);
                table.row(
                        program.name(),
                        Long.toString(seconds),
                        "%.1f".formatted(run.perSecond()),
                        String.join(", ", found),
                        Integer.toString(run.log().size()));
            }
        }
        write(quick ? "healthy-quick.md" : "healthy.md", "## Healthy programs\n\n" + table.markdown());
        return isSilent ? 0 : 1;
    }

    private void write(String name, String markdown) throws IOException {
        Files.createDirectories(out);
        Path file = out.resolve(name);
        Files.writeString(file, markdown);
        System.out.print(markdown);
        System.err.println("written: " + file);
    }

    private RealOutcome play(RealSystem system, MachineKind machine, boolean isSideBySide) {
        Duration length = Duration.ofSeconds(seconds);
        List<String> forms = List.of(RealForkMain.SICK, RealForkMain.CURED);
        Function<String, RealRun> run =
                form -> RealRun.of(system, form, length, machine.machine(), foreignLoad, outside);
        List<RealRun> runs = isSideBySide
                ? SideBySide.map(forms, run)
                : forms.stream().map(run).toList();
        RealOutcome outcome = new RealOutcome(system, runs.get(0), runs.get(1));
        System.err.printf(
                "%-28s %-5s found %s in %s, place %s, contradictory %d, false %s, %.0f to %.0f per s, cured: %s%n",
                system.name(),
                outcome.isRight() ? "right" : "WRONG",
                outcome.sick().course().found(),
                outcome.seconds(),
                outcome.namesPlace() ? "named" : "missing",
                outcome.contradictory(),
                outcome.falseFindings(),
                outcome.sick().perSecond(),
                outcome.cured().perSecond(),
                outcome.findingsWhenCured());
        if (verbose) {
            tell(outcome.sick());
            System.err.println("  cured:");
            tell(outcome.cured());
        }
        return outcome;
    }

    private static void tell(RealRun run) {
        run.course().changes().forEach(line -> System.err.println("    " + line));
        run.log().stream().limit(LINES_SHOWN).forEach(line -> System.err.println("    | " + line));
    }
}
