package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.FindingLedger.Found;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** One round over all pools under watch: closes their windows, asks the rules, and keeps the findings. Rounds are made by one thread. */
final class Patrol {

    private final MonitorSettings settings;
    private final MonitorClock clock;
    private final FindingListener news;
    private final Guard guard;
    private final CopyOnWriteArrayList<PoolWatch> watches = new CopyOnWriteArrayList<>();

    Patrol(MonitorSettings settings, MonitorClock clock, FindingListener log) {
        this.settings = settings;
        this.clock = clock;
        this.guard = new Guard();
        this.news = new Town(log);
    }

    /** Watches a pool from now on; nothing happens if it is being watched. Any thread. */
    void add(PoolSource source, String name) {
        synchronized (watches) {
            Object executor = source.executor();
            if (executor != null && watches.stream().noneMatch(watch -> watch.isOf(executor))) {
                watches.add(new PoolWatch(source, name));
            }
        }
    }

    boolean hasNothingToDo() {
        return watches.isEmpty();
    }

    /** Any thread. */
    List<PoolWatch> watches() {
        return watches;
    }

    void round() {
        Map<String, Double> thresholds = Map.copyOf(settings.thresholds());
        ProcessWindow process = ProcessWindow.unknown(Runtime.getRuntime().availableProcessors());
        for (PoolWatch watch : watches) {
            guard.run(watch, () -> visit(watch, process, thresholds));
        }
    }

    private void visit(PoolWatch watch, ProcessWindow process, Map<String, Double> thresholds) {
        InstrumentedPool meter = watch.source().meter();
        if (meter == null) {
            leave(watch);
            return;
        }
        PoolState state = PoolWatch.stateOf(watch.source().executor());
        PoolSnapshot now = meter.snapshot();
        PoolSnapshot before = watch.advance(now);
        if (before != null) {
            PoolWindow window = watch.remember(PoolWindow.between(before, now)
                    .end(clock.now())
                    .state(state)
                    .process(process)
                    .thresholds(thresholds)
                    .build());
            if (watch.windowsSeen() > settings.grace()) {
                judge(watch, window);
            }
        }
        if (state == PoolState.TERMINATED) {
            leave(watch);
        }
    }

    private void judge(PoolWatch watch, PoolWindow window) {
        Map<String, Found> found = new LinkedHashMap<>();
        for (Rule rule : settings.rules()) {
            if (!settings.isOff(rule.ids())) {
                Optional<Finding> finding = guard.call(rule, Optional.empty(), () -> rule.examine(window));
                finding.filter(seen -> !settings.isOff(seen.id()))
                        .ifPresent(seen -> found.putIfAbsent(seen.id(), new Found(seen, rule.windowsToRaise())));
            }
        }
        watch.ledger().enter(found, news);
    }

    private void leave(PoolWatch watch) {
        watch.ledger().end(id -> true, news);
        watches.remove(watch);
    }

    /** Tells the log, and all listeners that there are at the time. */
    private final class Town implements FindingListener {
        private final FindingListener log;

        Town(FindingListener log) {
            this.log = log;
        }

        @Override
        public void raised(Finding finding) {
            guard.run(log, () -> log.raised(finding));
            settings.listeners().forEach(listener -> guard.run(listener, () -> listener.raised(finding)));
        }

        @Override
        public void updated(Finding finding) {
            guard.run(log, () -> log.updated(finding));
            settings.listeners().forEach(listener -> guard.run(listener, () -> listener.updated(finding)));
        }

        @Override
        public void resolved(Finding finding) {
            guard.run(log, () -> log.resolved(finding));
            settings.listeners().forEach(listener -> guard.run(listener, () -> listener.resolved(finding)));
        }
    }
}
