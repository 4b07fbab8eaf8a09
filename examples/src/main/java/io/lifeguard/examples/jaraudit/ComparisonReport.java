package io.lifeguard.examples.jaraudit;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * The report about one comparison: tables first, and at the end what the lifeguard found and what its advice gained.
 * Not thread-safe; used once.
 */
final class ComparisonReport {

    /** From this share on the processors limit a run, and not the pool. */
    private static final double CPU_BOUND = 0.85;

    private final Comparison comparison;
    private final Duration delay;
    private final Options options;
    private final int audits;
    private final Optional<String> flaw;
    private final RunResult callerRuns;
    private final RunResult waiting;
    private final StringBuilder text = new StringBuilder();

    ComparisonReport(Comparison comparison, Duration delay, Options options, int audits) {
        this.comparison = comparison;
        this.delay = delay;
        this.options = options;
        this.audits = audits;
        this.flaw = comparison.flaw(audits, options.workers(), options.queue());
        this.callerRuns = Comparison.median(comparison.callerRuns());
        this.waiting = Comparison.median(comparison.waiting());
    }

    String render() {
        heading();
        times();
        dispatcher();
        snapshot(callerRuns, Policy.CALLER_RUNS);
        snapshot(waiting, Policy.WAITING);
        conclusion();
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
        if (comparison.rounds() > 1) {
            row(
                    comparison.typical().strip(),
                    Printable.seconds(callerRuns.elapsedNanos()),
                    Printable.seconds(waiting.elapsedNanos()),
                    ratio(comparison.ratio()));
        }
        row("audits per second", perSecond(callerRuns), perSecond(waiting), "");
        row(
                "CPU of this JVM",
                percent(callerRuns.cpu().own()),
                percent(waiting.cpu().own()),
                "");
        row(
                "CPU of others",
                percent(callerRuns.cpu().others()),
                percent(waiting.cpu().others()),
                "");
        append(
                "%nCPU is a share of %s. That of this JVM has the audits, the catalogue, the compilers and the"
                        + " collector;%nthe pool's table has that of the audits only.%n",
                Printable.count(Runtime.getRuntime().availableProcessors(), "processor"));
    }

    private void dispatcher() {
        append("%n");
        for (PoolSnapshot.Caller caller : callerRuns.snapshot().saturation().callers()) {
            append(
                    "With caller-runs the %s did %s itself, for %s of the %s; %.1f of %s were idle meanwhile.%n",
                    caller.thread(),
                    Printable.count(caller.runs(), "audit"),
                    Printable.seconds(caller.time().toNanos()),
                    Printable.seconds(callerRuns.elapsedNanos()),
                    caller.idleWorkers(),
                    Printable.count(options.workers(), "worker"));
        }
        Distribution blocked = waiting.snapshot().blockedSubmit();
        if (blocked.isKnown() && blocked.count() > 0) {
            append(
                    "With waiting the dispatcher waited %s, for %s of the %s in total, and did no audit itself.%n",
                    Printable.count(blocked.count(), "time"),
                    Printable.seconds(blocked.total().toNanos()),
                    Printable.seconds(waiting.elapsedNanos()));
        }
        if (waiting.cpu().own() >= CPU_BOUND) {
            append("With waiting the processors were busy all the time, so no policy can be faster here.%n");
        }
    }

    /* Each run has a new pool, so the pool's snapshot covers exactly this run. */
    private void snapshot(RunResult run, Policy policy) {
        String which = comparison.typical();
        append("%nThe %s%s run, as measured by its pool:%n%n", which, policy.label());
        text.append(run.snapshot().toTable());
    }

    /* The findings are those at the end of the typical runs. The log shows them as they were first raised. */
    private void conclusion() {
        findings(callerRuns, Policy.CALLER_RUNS);
        if (!callerRuns.findings().isEmpty() && !waiting.findings().isEmpty()) {
            append("%nOnce the dispatcher waits, the next limit shows.%n");
        }
        findings(waiting, Policy.WAITING);
        append("%n%sMeasured: %s%n", forecast(), flaw.orElseGet(comparison::verdict));
        comparison.disturbance().ifPresent(disturbance -> append("%s%n", disturbance));
    }

    /** What the lifeguard expected of waiting while the submitter ran tasks; empty where it said no gain. */
    private String forecast() {
        return callerRuns.findings().stream()
                .flatMapToDouble(finding -> finding.gain().stream())
                .mapToObj(gain -> String.format(
                        Locale.ROOT, "Forecast, from the last seconds: %.2f times the throughput. ", gain))
                .findFirst()
                .orElse("");
    }

    private void findings(RunResult run, Policy policy) {
        String which = comparison.typical();
        if (run.findings().isEmpty()) {
            append("%nIn the %s%s run the lifeguard found nothing wrong.%n", which, policy.label());
        }
        for (Finding finding : run.findings()) {
            append(
                    "%nBy the end of the %s%s run the lifeguard found %s:%n%s.%n",
                    which, policy.label(), finding.id(), finding.summary());
            append("What to do: %s.%n", withoutFullStop(finding.advice()));
        }
    }

    private static String withoutFullStop(String sentence) {
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }

    private void row(String label, String callerRuns, String waiting, String ratio) {
        append(
                "%s%n",
                String.format("  %-17s %12s %12s %8s", label, callerRuns, waiting, ratio)
                        .stripTrailing());
    }

    private static String ratio(double ratio) {
        return String.format(Locale.ROOT, "%.2f", ratio);
    }

    private String perSecond(RunResult run) {
        return String.format(Locale.ROOT, "%,.0f", audits * 1e9 / run.elapsedNanos());
    }

    private static String percent(double share) {
        return Double.isNaN(share) ? "unknown" : String.format(Locale.ROOT, "%.0f %%", share * 100);
    }

    private void append(String format, Object... arguments) {
        text.append(String.format(Locale.ROOT, format, arguments));
    }
}
