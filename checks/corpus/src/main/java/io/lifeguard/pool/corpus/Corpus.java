package io.lifeguard.pool.corpus;

import io.lifeguard.pool.corpus.Options.Form;
import io.lifeguard.pool.corpus.report.AgentReport;
import io.lifeguard.pool.corpus.report.DiagnosisReport;
import io.lifeguard.pool.corpus.report.LongReport;
import io.lifeguard.pool.corpus.report.MachinesReport;
import io.lifeguard.pool.corpus.report.OutsideReport;
import io.lifeguard.pool.corpus.run.Agent;
import io.lifeguard.pool.corpus.run.AgentOutcome;
import io.lifeguard.pool.corpus.run.Fork;
import io.lifeguard.pool.corpus.run.LongFork;
import io.lifeguard.pool.corpus.run.LongOutcome;
import io.lifeguard.pool.corpus.run.MachineKind;
import io.lifeguard.pool.corpus.run.Outcome;
import io.lifeguard.pool.corpus.run.Outside;
import io.lifeguard.pool.corpus.run.OutsideOutcome;
import io.lifeguard.pool.corpus.sizing.AdvisedReport;
import io.lifeguard.pool.corpus.sizing.AdvisedResult;
import io.lifeguard.pool.corpus.sizing.SizingFork;
import io.lifeguard.pool.corpus.sizing.SizingReport;
import io.lifeguard.pool.corpus.sizing.SizingResult;
import io.lifeguard.pool.corpus.sizing.SizingWorkload;
import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.pool.corpus.workloads.Workloads;
import io.lifeguard.workbench.SideBySide;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/**
 * The command of the corpus. It plays the workloads, prints and writes the report, and returns an exit code. One thread
 * only.
 */
public final class Corpus {
    static final int OK = 0;
    static final int WRONG = 1;
    static final int WRONG_USAGE = 2;
    static final int FAILED = 3;

    /** How long the load is a tenth at the end of a long run. */
    private static final Duration RELIEF = Duration.ofSeconds(12);

    private final PrintStream out;
    private final PrintStream progress;

    Corpus(PrintStream out, PrintStream progress) {
        this.out = out;
        this.progress = progress;
    }

    /** Runs the command and exits with its status. */
    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ROOT);
        System.exit(new Corpus(System.out, System.err).run(arguments));
    }

    int run(String... arguments) {
        try {
            Options options = Options.parse(arguments);
            if (options.help()) {
                out.print(Options.HELP);
                return OK;
            } else if (options.list()) {
                list();
                return OK;
            }
            return run(options);
        } catch (UsageException e) {
            progress.println(e.getMessage());
            return WRONG_USAGE;
        } catch (IOException | RuntimeException e) {
            progress.println(e.getMessage());
            return FAILED;
        }
    }

    private void list() {
        for (Workload workload : Workloads.all()) {
            out.printf(
                    "%-40s %s%n%42s%s%n",
                    workload.name(),
                    workload.isSick() ? String.join(", ", workload.must()) : "healthy, near " + workload.near(),
                    "",
                    workload.about());
        }
    }

    private int run(Options options) throws IOException {
        Files.createDirectories(options.out());
        StringBuilder markdown = new StringBuilder();
        boolean right = true;
        if (options.findings() && !options.machines().isEmpty()) {
            MachinesReport report = new MachinesReport();
            for (MachineKind machine : options.machines()) {
                progress.println("machine: " + machine.label());
                right &= playOn(machine, options, report);
            }
            markdown.append(report.markdown());
        } else if (options.findings() && options.form() == Form.SHORT) {
            DiagnosisReport report = new DiagnosisReport(play(options, MachineKind.QUIET));
            markdown.append(report.markdown());
            right = options.foreignLoad() > 0 ? report.isGoodUnderForeignLoad() : report.isGood();
        } else if (options.form() == Form.OUTSIDE) {
            OutsideReport report = new OutsideReport(watch(options));
            markdown.append(report.markdown());
            right = report.isGood();
        } else if (options.form() == Form.AGENT) {
            AgentReport report = new AgentReport(ask(options));
            markdown.append(report.markdown());
            right = report.isGood();
        } else if (options.form() == Form.ADVICE || options.form() == Form.ADVICE_OUTSIDE) {
            AdvisedReport report = new AdvisedReport(follow(options));
            markdown.append(report.markdown());
            right = report.isGood();
        } else if (options.findings()) {
            LongReport report = new LongReport(
                    playLong(options, MachineKind.QUIET), options.form() == Form.COLD ? "new JVMs" : "warm JVMs");
            markdown.append(report.markdown());
            right = report.isGood();
        }
        if (options.sizing()) {
            SizingReport report = new SizingReport(sweep(options));
            markdown.append(markdown.isEmpty() ? "" : "\n").append(report.markdown());
            right &= options.quick() ? report.isPlausible() : report.isGood();
        }
        Path file = options.out().resolve(options.fileName());
        Files.writeString(file, markdown);
        out.print(markdown);
        progress.println("written: " + file);
        return right ? OK : WRONG;
    }

    /** Plays on one machine, adds a column to the report, and says whether it went as it must there. */
    private boolean playOn(MachineKind machine, Options options, MachinesReport report) {
        boolean isQuiet = machine == MachineKind.QUIET;
        if (options.form() == Form.SHORT) {
            List<Outcome> outcomes = play(options, machine);
            for (Outcome each : outcomes) {
                String found = each.wasRun() ? DiagnosisReport.found(each) : each.notRun();
                report.add(
                        each.workload().name(),
                        machine,
                        MachinesReport.cell(each.missed(), each.falseFindings(), found));
            }
            DiagnosisReport part = new DiagnosisReport(outcomes);
            report.conclude(machine, part.conclusion());
            return isQuiet ? part.isGood() : part.isGoodUnderForeignLoad();
        }
        List<LongOutcome> outcomes = playLong(options, machine);
        for (LongOutcome each : outcomes) {
            OptionalDouble seconds = each.secondsToAll();
            boolean isMissed = each.workload().isSick() && seconds.isEmpty();
            String found = !each.workload().isSick() || isMissed
                    ? ""
                    : "%.1f s, stands in %.0f %%%s"
                            .formatted(
                                    seconds.getAsDouble(),
                                    100 * each.standing(),
                                    each.wrong()
                                            .map(wrong -> ", **" + wrong + "**")
                                            .orElse(""));
            report.add(
                    each.workload().name(),
                    machine,
                    MachinesReport.cell(isMissed ? each.workload().must() : Set.of(), each.falseFindings(), found));
        }
        LongReport part = new LongReport(outcomes, machine.label());
        report.conclude(machine, part.conclusion());
        return isQuiet ? part.isGood() : part.isGoodOnBusyMachine();
    }

    private List<Outcome> play(Options options, MachineKind machine) {
        Fork fork = new Fork(
                options.length(),
                options.patience(),
                options.window(),
                options.foreignLoad(),
                machine.machine(),
                options.verbose());
        boolean isRepeated = options.foreignLoad() == 0 && machine == MachineKind.QUIET;
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < options.runs(); i++) {
            List<Workload> wanted = Workloads.all().stream()
                    .filter(workload -> isWanted(workload.name(), workload.quick(), options))
                    .toList();
            Function<Workload, Outcome> run = workload -> told(fork.run(machine.labelled(workload)));
            List<Outcome> played = isRepeated && options.quick() // most workloads wait
                    ? SideBySide.map(wanted, run)
                    : wanted.stream().map(run).toList();
            for (Outcome outcome : played) {
                outcomes.add(outcome);
                if (!outcome.isRight() && isRepeated) {
                    progress.println("repeated: " + outcome.workload().name());
                    outcomes.add(told(fork.run(outcome.workload())));
                }
            }
        }
        return outcomes;
    }

    private List<LongOutcome> playLong(Options options, MachineKind machine) {
        boolean isCold = options.form() == Form.COLD;
        boolean isBusy = options.foreignLoad() > 0 || machine != MachineKind.QUIET;
        LongFork fork = new LongFork(
                options.length(), isCold ? Duration.ZERO : RELIEF, isCold, options.foreignLoad(), machine.machine());
        List<LongOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < options.runs(); i++) {
            for (Workload workload : Workloads.all()) {
                boolean isAsked = workload.isSick() || (isCold && isBusy);
                if (isAsked && isWanted(workload.name(), workload.quick(), options)) {
                    fork.run(machine.labelled(workload)).ifPresent(outcome -> {
                        outcomes.add(outcome);
                        tell(outcome, options.verbose());
                    });
                }
            }
        }
        return outcomes;
    }

    private List<OutsideOutcome> watch(Options options) {
        Outside outside =
                new Outside(options.length(), options.targetJava(), options.watcherJava(), options.foreignLoad());
        List<OutsideOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < options.runs(); i++) {
            for (Workload workload : Workloads.all()) {
                if (isWanted(workload.name(), workload.quick(), options)) {
                    OutsideOutcome outcome = outside.run(workload);
                    outcomes.add(outcome);
                    tell(outcome);
                }
            }
        }
        return outcomes;
    }

    private List<AgentOutcome> ask(Options options) {
        Agent agent = new Agent(Math.toIntExact(options.length().toSeconds()));
        List<AgentOutcome> outcomes = new ArrayList<>();
        for (Workload workload : Workloads.all()) {
            if (workload.isSick() && isWanted(workload.name(), workload.quick(), options)) {
                AgentOutcome outcome = agent.run(workload);
                outcomes.add(outcome);
                progress.printf("%-40s %s %s%n", workload.name(), outcome.verdict(), outcome.found());
            }
        }
        return outcomes;
    }

    private List<SizingResult> sweep(Options options) throws IOException {
        SizingFork fork = new SizingFork(options.perSize(), options.quick() ? 1 : 3);
        List<SizingResult> results = new ArrayList<>();
        for (SizingWorkload workload : SizingWorkload.all()) {
            if (isWanted(workload.name(), workload.quick(), options)) {
                SizingResult result = sweep(workload, fork, options);
                results.add(result);
                result.log().forEach(line -> progress.println("    " + line));
            }
        }
        return results;
    }

    private SizingResult sweep(SizingWorkload workload, SizingFork fork, Options options) throws IOException {
        Path kept = options.out().resolve("sizing-" + workload.name() + ".txt");
        if (options.resume() && Files.exists(kept)) {
            progress.println("swept before: " + workload.name());
        } else {
            progress.println("sweeping " + workload.name() + ": " + workload.about());
            Files.write(kept, fork.run(workload));
        }
        return SizingResult.parse(workload, Files.readAllLines(kept));
    }

    private List<AdvisedResult> follow(Options options) throws IOException {
        SizingFork fork = new SizingFork(options.perSize(), options.quick() ? 1 : 3);
        boolean isOutside = options.form() == Form.ADVICE_OUTSIDE;
        List<AdvisedResult> results = new ArrayList<>();
        for (SizingWorkload workload : SizingWorkload.all()) {
            if (isWanted(workload.name(), workload.quick(), options)) {
                Path kept = options.out().resolve((isOutside ? "outside-" : "advice-") + workload.name() + ".txt");
                if (!options.resume() || !Files.exists(kept)) {
                    progress.println("following the advice for " + workload.name() + ": " + workload.about());
                    Files.write(kept, fork.follow(workload, options.length(), isOutside));
                }
                AdvisedResult result = AdvisedResult.parse(workload.name(), Files.readAllLines(kept));
                results.add(result);
                result.log().forEach(line -> progress.println("    " + line));
            }
        }
        return results;
    }

    private static boolean isWanted(String name, boolean quick, Options options) {
        return (quick || !options.quick())
                && (options.only().isEmpty() || options.only().stream().anyMatch(name::contains));
    }

    private synchronized Outcome told(Outcome outcome) {
        progress.printf(
                "%-40s %-6s found %s, missed %s, false %s %s%n",
                outcome.workload().name(),
                !outcome.wasRun() ? "-" : outcome.isRight() ? "right" : "WRONG",
                outcome.found(),
                outcome.missed(),
                outcome.falseFindings(),
                outcome.notRun());
        outcome.log().forEach(line -> progress.println("    " + line));
        return outcome;
    }

    private void tell(OutsideOutcome outcome) {
        progress.printf(
                "%-40s %-6s %s, false %s %s%n",
                outcome.workload().name(),
                !outcome.workload().isSick() ? "" : outcome.isNamed() ? "named" : "MISSED",
                outcome.verdicts(),
                outcome.falseFindings(),
                outcome.notRun());
        outcome.log().forEach(line -> progress.println("    " + line));
    }

    private void tell(LongOutcome outcome, boolean verbose) {
        progress.printf(
                "%-40s %-16s found %s in %s s, stands %.3f, contradictory %d, sizes %s, ends %s, false %s%n",
                outcome.workload().name(),
                outcome.wrong().orElse("right"),
                outcome.sick().found(),
                outcome.secondsToAll(),
                outcome.standing(),
                outcome.contradictory(),
                outcome.sizes(),
                outcome.secondsToEnd(),
                outcome.falseFindings());
        if (verbose) {
            outcome.course().changes().forEach(line -> progress.println("    " + line));
        }
    }
}
