package io.lifeguard.pool.micrometer;

import io.lifeguard.pool.Pools;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The meters of one registry that belong to no pool: how many pools have meters, which page explains which finding, and the findings about event
 * loops and foreign pools. Confined to the lock of {@link RegistryMeters}.
 */
final class SharedMeters {

    /** How many event loops and foreign pools have meters at once. */
    private static final int MOST_SUBJECTS = 100;

    private static final Set<String> EXPLAINED = PoolMonitor.standardRules().stream()
            .map(Rule::ids)
            .flatMap(Set::stream)
            .collect(Collectors.toUnmodifiableSet());

    private final AddedMeters added;
    private final List<Meter.Id> registered = new ArrayList<>();
    private final List<Object> sources = new ArrayList<>(); // what the registry holds weakly
    private final Set<String> pages = new HashSet<>(); // ids of the findings that have one
    private final Map<String, Subject> subjects = new HashMap<>();
    private boolean hasPools;
    private boolean wasFull;

    SharedMeters(AddedMeters added) {
        this.added = added;
    }

    /** Whether there were more pools than may have meters. */
    boolean wasFull() {
        return wasFull;
    }

    void full(boolean isFull) {
        wasFull = isFull;
    }

    void registerPools(MeterRegistry there, IntSupplier metered) {
        if (!hasPools) {
            hasPools = true;
            sources.add(metered);
            added.collect(registered, () -> {
                pools(there, metered, "true", IntSupplier::getAsInt);
                pools(there, metered, "false", has -> Math.max(0, Pools.live().size() - has.getAsInt()));
            });
        }
    }

    private static void pools(
            MeterRegistry there, IntSupplier metered, String tag, ToDoubleFunction<IntSupplier> number) {
        Gauge.builder(MeterNames.POOLS, metered, number)
                .tag(MeterNames.TAG_METERED, tag)
                .description("Pools that have meters, and that have none because there are too many")
                .register(there);
    }

    void registerPage(MeterRegistry there, Finding finding, String prefix) {
        String id = finding.id();
        if (EXPLAINED.contains(id) && pages.add(id)) {
            added.collect(
                    registered,
                    () -> Gauge.builder(MeterNames.FINDING_PAGE, () -> 1)
                            .tag(MeterNames.TAG_ID, id)
                            .tag(MeterNames.TAG_PAGE, prefix + id + ".md")
                            .description("The page that explains a finding")
                            .register(there));
        }
    }

    /** Shows a finding about something that has no other meters. */
    void show(MeterRegistry there, PoolMonitor monitor, Finding finding, boolean isNew) {
        String name = finding.pool();
        if (subjects.containsKey(name) || subjects.size() < MOST_SUBJECTS) {
            Subject subject = subjects.computeIfAbsent(name, each -> new Subject(monitor, each));
            subject.active.add(finding.id());
            added.collect(subject.registered, () -> RegistryMeters.show(there, subject.findings, finding, isNew));
        }
    }

    /** A finding is over; when it was the last of its subject, the subject's meters go. */
    void over(MeterRegistry there, Finding finding) {
        Subject subject = subjects.get(finding.pool());
        if (subject != null && subject.active.remove(finding.id()) && subject.active.isEmpty()) {
            subjects.remove(finding.pool());
            subject.registered.forEach(there::remove);
        }
    }

    void removeAll(MeterRegistry there) {
        registered.forEach(there::remove);
        subjects.values().forEach(subject -> subject.registered.forEach(there::remove));
        registered.clear();
        sources.clear();
        pages.clear();
        subjects.clear();
        hasPools = false;
    }

    private static final class Subject {
        private final List<Meter.Id> registered = new ArrayList<>();
        private final Set<String> active = new HashSet<>(); // ids of findings
        private final FindingMeters findings;

        Subject(PoolMonitor monitor, String name) {
            this.findings = new FindingMeters(Tags.of(MeterNames.TAG_NAME, name), () -> monitor.findings(name));
        }
    }
}
