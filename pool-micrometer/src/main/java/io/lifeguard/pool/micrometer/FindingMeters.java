package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.diagnosis.Finding;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The findings of one pool, or of an event loop, as meters: registered when a finding is raised for the first time, since most never are. Written by
 * the monitor's thread under the registry's lock; read by any.
 */
final class FindingMeters {

    /** How many ids and severities are told apart: the library has fifteen ids, the rest is for rules of users. */
    static final int MOST = 64;

    private final Tags name;
    private final Supplier<List<Finding>> active;
    private final Map<Label, Shown> shown = new ConcurrentHashMap<>();

    FindingMeters(Tags name, Supplier<List<Finding>> active) {
        this.name = name;
        this.active = active;
    }

    /** A finding is raised, or was when the registry was bound, or has become more or less severe. */
    void show(MeterRegistry registry, Finding finding) {
        shown(registry, finding);
    }

    /** A finding has just been raised, or become more severe. */
    void count(MeterRegistry registry, Finding finding) {
        shown(registry, finding).raised.incrementAndGet();
    }

    private Shown shown(MeterRegistry registry, Finding finding) {
        Label label = Label.of(finding);
        Label counted = shown.containsKey(label) || shown.size() < MOST ? label : label.other();
        Shown there = shown.get(counted);
        if (there == null) {
            there = new Shown(counted);
            shown.put(counted, there);
            register(registry, there);
        }
        return there;
    }

    private void register(MeterRegistry registry, Shown meter) {
        Tags tags = name.and(MeterNames.TAG_ID, meter.label.id).and(MeterNames.TAG_SEVERITY, meter.label.severity);
        Gauge.builder(MeterNames.FINDINGS, meter, Shown::countActive)
                .tags(tags)
                .description("Findings that are raised now")
                .register(registry);
        FunctionCounter.builder(MeterNames.FINDINGS_RAISED, meter, each -> each.raised.get())
                .tags(tags)
                .description("How often findings were raised, or became that severe")
                .register(registry);
    }

    /** One gauge and one counter. */
    private final class Shown {
        private final Label label;
        private final AtomicLong raised = new AtomicLong();

        Shown(Label label) {
            this.label = label;
        }

        double countActive() {
            return active.get().stream().filter(this::isCountedHere).count();
        }

        private boolean isCountedHere(Finding finding) {
            Label its = Label.of(finding);
            return label.equals(its) || (label.equals(its.other()) && !shown.containsKey(its));
        }
    }

    private record Label(String id, String severity) {
        static Label of(Finding finding) {
            return new Label(finding.id(), finding.severity().name().toLowerCase(Locale.ROOT));
        }

        Label other() {
            return new Label(MeterNames.OTHER, severity);
        }
    }
}
