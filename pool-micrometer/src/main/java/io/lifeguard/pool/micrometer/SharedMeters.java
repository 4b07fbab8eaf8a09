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
import org.jspecify.annotations.Nullable;

/**
 * The meters of one registry that belong to no instrumented pool. Confined to the lock of {@link RegistryMeters}.
 *
 * <p>They tell how many pools have meters, which page explains which finding, the findings about event loops and
 * external pools, and what virtual threads do.
 */
final class SharedMeters {

    /** How many event loops and external pools may have meters at the same time. */
    private static final int MOST_SUBJECTS = 100;

    private static final Set<String> EXPLAINED = PoolMonitor.standardRules().stream()
            .map(Rule::ids)
            .flatMap(Set::stream)
            .collect(Collectors.toUnmodifiableSet());

    private final AddedMeters added;
    private final List<Meter.Id> registered = new ArrayList<>();
    private final Set<String> pages = new HashSet<>(); // ids of the findings that have one
    private final Map<String, Subject> subjects = new HashMap<>(); // by name of the event loop or external pool
    private @Nullable VirtualThreadMeters virtualThreads; // null before registration, and without a monitor
    private @Nullable IntSupplier metered; // held here because the registry holds it weakly; null before registration

    SharedMeters(AddedMeters added) {
        this.added = added;
    }

    /** Registers the numbers of pools with and without meters. */
    void registerPools(MeterRegistry registry, IntSupplier poolsWithMeters) {
        if (metered == null) {
            metered = poolsWithMeters;
            pools(registry, poolsWithMeters, "true", IntSupplier::getAsInt);
            pools(
                    registry,
                    poolsWithMeters,
                    "false",
                    with -> Math.max(0, Pools.live().size() - with.getAsInt()));
        }
    }

    private void pools(MeterRegistry registry, IntSupplier with, String tag, ToDoubleFunction<IntSupplier> number) {
        Gauge.Builder<IntSupplier> gauge = MeterRow.POOLS.gauge(with, number).tag(MeterRow.TAG_METERED, tag);
        added.collect(registered, () -> gauge.register(registry));
    }

    /** Registers the meters of virtual threads, which the first monitor that is bound to all pools shows. */
    void registerVirtualThreads(MeterRegistry registry, PoolMonitor monitor, Runnable registersPlaces) {
        if (virtualThreads == null) {
            virtualThreads = new VirtualThreadMeters(added, monitor, registersPlaces);
            virtualThreads.register(registry);
        }
    }

    void registerPlaces(MeterRegistry registry) {
        if (virtualThreads != null) {
            virtualThreads.registerPlaces(registry);
        }
    }

    /** Registers the address of the page that explains a finding, if there is such a page. */
    void registerPage(MeterRegistry registry, MeterOptions options, Finding finding) {
        String id = finding.id();
        if (EXPLAINED.contains(id) && pages.add(id)) {
            String page = options.pages() + id + ".md";
            Gauge.Builder<?> gauge = MeterRow.FINDING_PAGE
                    .gauge(EXPLAINED, always -> 1)
                    .tags(MeterRow.TAG_ID, id, MeterRow.TAG_PAGE, page);
            added.collect(registered, () -> gauge.register(registry));
        }
    }

    /** Shows a finding about an event loop or external pool. */
    void show(MeterRegistry registry, Binding binding, Finding finding, boolean isNew) {
        registerPage(registry, binding.options(), finding);
        String name = finding.pool();
        if (subjects.containsKey(name) || subjects.size() < MOST_SUBJECTS) {
            Subject subject = subjects.computeIfAbsent(name, each -> new Subject(binding, each));
            subject.active.add(finding.id());
            added.collect(subject.registered, () -> subject.findings.show(registry, finding, isNew));
        }
    }

    /** Removes the meters of an event loop or external pool with its last finding. */
    void resolved(MeterRegistry registry, Finding finding) {
        Subject subject = subjects.get(finding.pool());
        if (subject != null && subject.active.remove(finding.id()) && subject.active.isEmpty()) {
            subjects.remove(finding.pool());
            subject.registered.forEach(registry::remove);
        }
    }

    void removeAll(MeterRegistry registry) {
        registered.forEach(registry::remove);
        registered.clear();
        subjects.values().forEach(subject -> subject.registered.forEach(registry::remove));
        subjects.clear();
        pages.clear();
        metered = null;
        if (virtualThreads != null) {
            virtualThreads.removeFrom(registry);
            virtualThreads = null;
        }
    }

    /** An event loop or external pool that has findings. */
    private static final class Subject {
        private final List<Meter.Id> registered = new ArrayList<>();
        private final Set<String> active = new HashSet<>(); // ids of its findings
        private final FindingMeters findings;

        Subject(Binding binding, String name) {
            this.findings = new FindingMeters(Tags.of(MeterRow.TAG_NAME, name), () -> binding.findings(name));
        }
    }
}
