package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.diagnosis.Finding;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The meters for the findings of one pool or event loop. Registered under the lock of {@link RegistryMeters}; read by
 * any thread.
 *
 * <p>A finding's meters are registered when it is raised for the first time, because most findings never are.
 */
final class FindingMeters {

    /** How many pairs of id and severity have meters. The library has fewer; the rest is for rules of users. */
    static final int MOST = 64;

    private final Tags name;
    private final Supplier<List<Finding>> active;
    private final Map<Label, Shown> shown = new ConcurrentHashMap<>();

    FindingMeters(Tags name, Supplier<List<Finding>> active) {
        this.name = name;
        this.active = active;
    }

    /**
     * Shows a finding that is raised now. It is also counted if {@code isNew}: it has just been raised, or become more
     * severe.
     */
    void show(MeterRegistry registry, Finding finding, boolean isNew) {
        Label own = Label.of(finding);
        Label label = shown.containsKey(own) || shown.size() < MOST ? own : own.other();
        if (!shown.containsKey(label)) {
            shown.put(label, new Shown(label));
            register(registry, shown.get(label));
        }
        if (isNew) {
            shown.get(label).raised.incrementAndGet();
        }
    }

    private void register(MeterRegistry registry, Shown meter) {
        Tags tags = name.and(MeterRow.TAG_ID, meter.label.id, MeterRow.TAG_SEVERITY, meter.label.severity);
        MeterRow.FINDINGS.gauge(meter, Shown::countActive).tags(tags).register(registry);
        MeterRow.FINDINGS_RAISED
                .counter(meter, each -> each.raised.get())
                .tags(tags)
                .register(registry);
    }

    /** The source of one gauge and one counter. */
    private final class Shown {
        private final Label label;
        private final AtomicLong raised = new AtomicLong(); // written by the monitor's thread

        Shown(Label label) {
            this.label = label;
        }

        double countActive() {
            return active.get().stream()
                    .map(Label::of)
                    .filter(this::isCountedHere)
                    .count();
        }

        private boolean isCountedHere(Label other) {
            return label.equals(other) || (label.equals(other.other()) && !shown.containsKey(other));
        }
    }

    private record Label(String id, String severity) {
        static Label of(Finding finding) {
            return new Label(finding.id(), finding.severity().name().toLowerCase(Locale.ROOT));
        }

        Label other() {
            return new Label(MeterRow.OTHER, severity);
        }
    }
}
