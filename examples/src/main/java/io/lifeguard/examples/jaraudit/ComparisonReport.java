package io.lifeguard.examples.jaraudit;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** The comparison of both policies, in tables and words. Not thread-safe; used once. */
final class ComparisonReport {

    /** From this share on the processors are what limits a run. */
    private static final double CPU_BOUND = 0.85;

    private final Comparison comparison;
    private final Duration delay;
    private final Options options;
    private final int jars;
    private final Optional<String> flaw;
    private final RunResult callerRuns;
    private final RunResult waiting;
    private final StringBuilder text = new StringBuilder();

    ComparisonReport(Comparison comparison, Duration delay, Options options, int jars) {
        this.comparison = comparison;
        this.delay = delay;
        this.options = options;
        this.jars = jars;
        this.flaw = comparison.flaw(jars, options.workers(), options.queue());
        this.callerRuns = Comparison.median(comparison.callerRuns());
        this.waiting = Comparison.median(comparison.waiting());
    }

    String render() {
        heading();
        times();
        words();
        snapshot(callerRuns, Policy.CALLER_RUNS);
        snapshot(waiting, Policy.WAITING);
        return text.toString();
    }

    /** Returns the ratio in one line. */
    String summary() {
        String doubt = flaw.isPresent() ? " (meaningless)" : "";
        return String.format(Locale.ROOT, "%.2f at %d ms%s", comparison.ratio(), delay.toMillis(), doubt);
    }

    private void heading() {
        append(
                "%nCatalogue answers in about %d ms; %s, a queue of %s, %s%n%n",
                delay.toMillis(),
                Printable.count(options.workers(), "worker"),
                Printable.count(options.queue()),
                Printable.count(Runtime.getRuntime().availableProcessors(), "processor"));
    }

    private void times() {
        row("elapsed", Policy.CALLER_RUNS.label(), Policy.WAITING.label(), "ratio");
        for (int round = 0; round < comparison.rounds(); round++) {
            row(
                    "round " + (round + 1),
                    Printable.seconds(comparison.callerRuns().get(round).elapsedNanos()),
                    Printable.seconds(comparison.waiting().get(round).elapsedNanos()),
                    ratio(comparison.ratio(round)));
        }
        row(
                "median",
                Printable.seconds(callerRuns.elapsedNanos()),
                Printable.seconds(waiting.elapsedNanos()),
                ratio(comparison.ratio()));
        row("jars per second", perSecond(callerRuns), perSecond(waiting), "");
        row("CPU used", percent(callerRuns.cpu().own()), percent(waiting.cpu().own()), "");
        row(
                "CPU of others",
                percent(callerRuns.cpu().others()),
                percent(waiting.cpu().others()),
                "");
    }

    private void words() {
        append("%n%s%n", flaw.orElseGet(comparison::verdict));
        for (PoolSnapshot.Caller caller : callerRuns.snapshot().saturation().callers()) {
            append(
                    "With caller-runs the %s audited %s itself for %s of the %s; %.1f of %s were idle meanwhile.%n",
                    caller.thread(),
                    Printable.count(caller.runs(), "jar"),
                    Printable.seconds(caller.time().toNanos()),
                    Printable.seconds(callerRuns.elapsedNanos()),
                    caller.idleWorkers(),
                    Printable.count(options.workers(), "worker"));
        }
        Distribution blocked = waiting.snapshot().blockedSubmit();
        if (blocked.isKnown() && blocked.count() > 0) {
            append(
                    "With waiting it stood still %s, %s of the %s in all, and ran nothing itself.%n",
                    Printable.count(blocked.count(), "time"),
                    Printable.seconds(blocked.total().toNanos()),
                    Printable.seconds(waiting.elapsedNanos()));
        }
        if (waiting.cpu().own() >= CPU_BOUND) {
            append("With waiting the processors set the pace: no policy can be faster here.%n");
        }
    }

    /* The pool was fresh, so its snapshot is that of the run. */
    private void snapshot(RunResult run, Policy policy) {
        String which = comparison.rounds() == 1 ? "" : "median ";
        append("%nThe %s%s run, as its pool saw it:%n%n", which, policy.label());
        text.append(run.snapshot().toTable());
        if (run.findings().isEmpty()) {
            append("%nThe lifeguard found nothing wrong with it.%n");
        }
        for (Finding finding : run.findings()) {
            append("%nThe lifeguard found %s: %s%n", finding.id(), finding.summary());
            append("What to do: %s%n", finding.advice());
        }
    }

    private void row(String label, String callerRuns, String waiting, String ratio) {
        append(
                "%s%n",
                String.format("  %-16s %12s %12s %8s", label, callerRuns, waiting, ratio)
                        .stripTrailing());
    }

    private static String ratio(double ratio) {
        return String.format(Locale.ROOT, "%.2f", ratio);
    }

    private String perSecond(RunResult run) {
        return String.format(Locale.ROOT, "%,.0f", jars * 1e9 / run.elapsedNanos());
    }

    private static String percent(double share) {
        return Double.isNaN(share) ? "unknown" : String.format(Locale.ROOT, "%.0f %%", share * 100);
    }

    private void append(String format, Object... arguments) {
        text.append(String.format(Locale.ROOT, format, arguments));
    }
}
