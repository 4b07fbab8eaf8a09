package io.lifeguard.examples.jaraudit;

import io.lifeguard.examples.Reports;
import io.lifeguard.examples.Terminal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Audits the jars once to warm up, and then several times with each policy. Does so for every answer time of the
 * catalogue that the options name. Used once, by the thread that is the dispatcher.
 */
final class JarAudit {

    private static final int DEFAULT_ROUNDS = 3;

    /** The time that all comparisons together should take, unless the user says how many rounds to run. */
    private static final long BUDGET_NANOS = TimeUnit.SECONDS.toNanos(40);

    private static final String FIRST = String.format(
            "First an audit to warm up, with the pool whose dispatcher waits. The lifeguard may say that all workers%n"
                    + "are busy and wait for the catalogue. Here it is meant to be so: they are the limit then.%n%n");

    private static final String WHAT_COMES = String.format(
            "Now several audits with each policy, each with a pool of its own: the lifeguard may warn about each.%n"
                    + "A warning has the numbers of the first seconds of its run, and the end those of its last.%n%n");

    private final JarList list;
    private final Options options;
    private final Terminal terminal;

    JarAudit(JarList list, Options options, Terminal terminal) {
        this.list = list;
        this.options = options;
        this.terminal = terminal;
    }

    void run() throws AuditFailure, InterruptedException {
        Optional<ResultSheet> reference = Optional.empty();
        List<String> ratios = new ArrayList<>();
        for (Duration delay : options.catalogueDelays()) {
            try (CatalogueService service = CatalogueService.start(Delays.withMean(delay))) {
                JarAuditor auditor = new JarAuditor(new CatalogueClient(service.address()), InflationLimits.DEFAULT);
                AuditRun audit = new AuditRun(list.jars(), auditor, options, terminal);
                if (reference.isEmpty()) {
                    reference = Optional.of(firstAudit(audit));
                }
                Comparison comparison = compare(audit, delay, reference.get());
                ComparisonReport report = new ComparisonReport(
                        comparison, delay, options, list.jars().size());
                terminal.print(report.render());
                ratios.add(report.summary());
                writeReport(comparison, delay);
            } catch (IOException e) {
                throw new AuditFailure("the catalogue cannot be started: " + Printable.reason(e));
            }
        }
        if (ratios.size() > 1) {
            terminal.print(
                    String.format("%nTime with caller-runs / time with waiting: %s%n", String.join(", ", ratios)));
        }
    }

    private void writeReport(Comparison comparison, Duration delay) throws AuditFailure {
        try {
            Reports.write(
                    terminal,
                    "jar-audit-" + delay.toMillis() + "-ms",
                    "The same audit with " + Policy.CALLER_RUNS.label() + " and with " + Policy.WAITING.label(),
                    Policy.CALLER_RUNS.label(),
                    Comparison.median(comparison.callerRuns()).lastMinute(),
                    Policy.WAITING.label(),
                    Comparison.median(comparison.waiting()).lastMinute());
        } catch (IOException e) {
            throw new AuditFailure("the report cannot be written: " + Printable.reason(e));
        }
    }

    /* Also fills the page cache and compiles the code, so that the first timed run is not slower than the others. */
    private ResultSheet firstAudit(AuditRun audit) throws AuditFailure, InterruptedException {
        terminal.print(FIRST);
        ResultSheet results = audit.run("warm-up", Policy.WAITING).results();
        check(results, results, Policy.WAITING);
        terminal.print(String.format("%n%s%n%s", new AuditSummary(list, results.reports()).render(), WHAT_COMES));
        return results;
    }

    private Comparison compare(AuditRun audit, Duration delay, ResultSheet reference)
            throws AuditFailure, InterruptedException {
        List<RunResult> callerRuns = new ArrayList<>();
        List<RunResult> waiting = new ArrayList<>();
        Stopwatch stopwatch = Stopwatch.start();
        for (int round = 0; isWanted(round, stopwatch.elapsedNanos()); round++) {
            // Every second round uses the opposite order, so that no policy always runs second.
            List<Policy> order = round % 2 == 0
                    ? List.of(Policy.CALLER_RUNS, Policy.WAITING)
                    : List.of(Policy.WAITING, Policy.CALLER_RUNS);
            for (Policy policy : order) {
                String label = String.format("%s, %d ms, round %d", policy.label(), delay.toMillis(), round + 1);
                RunResult run = audit.run(label, policy);
                check(run.results(), reference, policy);
                (policy == Policy.WAITING ? waiting : callerRuns).add(run);
            }
        }
        return new Comparison(callerRuns, waiting);
    }

    /** Returns whether to run another round after {@code round} rounds that took so long. */
    private boolean isWanted(int round, long elapsedNanos) {
        if (options.rounds().isPresent()) {
            return round < options.rounds().getAsInt();
        }
        long budget = BUDGET_NANOS / options.catalogueDelays().size();
        return round == 0 || (round < DEFAULT_ROUNDS && elapsedNanos + elapsedNanos / round <= budget);
    }

    private static void check(ResultSheet results, ResultSheet reference, Policy policy) throws AuditFailure {
        Optional<String> difference = results.differenceTo(reference);
        if (difference.isPresent()) {
            throw new AuditFailure(
                    "two audits of the same jars differ; with " + policy.label() + ": " + difference.get());
        }
    }
}
