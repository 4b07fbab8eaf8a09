package io.lifeguard.pool.spring.monitor;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The requests of all contexts of this JVM to its one monitor, each in force until its context closes. Where contexts
 * request different values, the context that started last prevails. A rule that a child context inherits from its
 * parent is added once. Thread-safe.
 */
final class MonitorRequests {

    /** By context, in the order in which the contexts started. */
    private static final Map<Object, List<Request>> BY_CONTEXT = new LinkedHashMap<>(); // guarded by the class

    private MonitorRequests() {}

    /**
     * One request.
     *
     * @param subject what the request is about; of several requests about one subject, the last is in force
     * @param reset restores the monitor's default
     */
    record Request(Object subject, Object value, Consumer<PoolMonitor> apply, Consumer<PoolMonitor> reset) {}

    /** Replaces the requests of a context; an empty list withdraws them. */
    static synchronized void set(PoolMonitor monitor, Object context, List<Request> requests) {
        Map<Object, Request> before = inForce();
        BY_CONTEXT.remove(context);
        if (!requests.isEmpty()) {
            BY_CONTEXT.put(context, requests);
        }
        Map<Object, Request> after = inForce();
        after.forEach((subject, request) -> {
            Request former = before.get(subject);
            if (former == null || !former.value().equals(request.value())) {
                request.apply().accept(monitor);
            }
        });
        List<Request> withdrawn = new ArrayList<>(before.values());
        withdrawn.removeIf(request -> after.containsKey(request.subject()));
        Collections.reverse(withdrawn); // a threshold can be reset only while its rule is there
        withdrawn.forEach(request -> request.reset().accept(monitor));
    }

    /** By subject, in the order of the requests. */
    private static Map<Object, Request> inForce() {
        Map<Object, Request> inForce = new LinkedHashMap<>();
        BY_CONTEXT.values().forEach(all -> all.forEach(request -> inForce.put(request.subject(), request)));
        return inForce;
    }
}
