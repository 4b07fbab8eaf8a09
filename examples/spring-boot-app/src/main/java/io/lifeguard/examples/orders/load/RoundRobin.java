package io.lifeguard.examples.orders.load;

import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** What a load balancer does: instances take turns, and one that is to stop is taken out of the rotation first. Thread-safe. */
public final class RoundRobin {

    private final List<URI> rotation;
    private final AtomicInteger turn = new AtomicInteger();

    /** Begins with these. */
    public RoundRobin(List<URI> instances) {
        if (instances.isEmpty()) {
            throw new IllegalArgumentException("instances must not be empty (was [])");
        }
        rotation = new CopyOnWriteArrayList<>(instances);
    }

    /** Whose turn it is. */
    URI next() {
        while (true) {
            List<URI> now = List.copyOf(rotation);
            if (!now.isEmpty()) {
                return now.get(Math.floorMod(turn.getAndIncrement(), now.size()));
            }
            Thread.onSpinWait();
        }
    }

    /** Sends nobody there any more. */
    public void remove(URI instance) {
        rotation.remove(instance);
    }

    /** Sends customers there from now on. */
    public void add(URI instance) {
        rotation.add(instance);
    }
}
