package io.lifeguard.examples.orders.load;

import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A load balancer whose instances take turns. An instance is removed before it is stopped. Thread-safe. */
public final class RoundRobin {

    private final List<URI> rotation;
    private final AtomicInteger turn = new AtomicInteger();

    /** Creates a load balancer for these instances. */
    public RoundRobin(List<URI> instances) {
        if (instances.isEmpty()) {
            throw new IllegalArgumentException("instances must not be empty (was [])");
        }
        rotation = new CopyOnWriteArrayList<>(instances);
    }

    /** Returns the next instance. */
    URI next() {
        while (true) {
            List<URI> now = List.copyOf(rotation);
            if (!now.isEmpty()) {
                return now.get(Math.floorMod(turn.getAndIncrement(), now.size()));
            }
            Thread.onSpinWait();
        }
    }

    /** Removes an instance. */
    public void remove(URI instance) {
        rotation.remove(instance);
    }

    /** Adds an instance. */
    public void add(URI instance) {
        rotation.add(instance);
    }
}
