package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.seen.Lender;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.util.Comparator;
import java.util.Optional;

/**
 * A connection pool that calls wait for, although no stack shows it: calls of reactive clients wait without a thread,
 * and a worker that blocks waits for the result of its call. Immutable.
 */
record FullLender(String name, String setting, int capacity, int inUse, int waiting) {

    /** {@return the one for which most calls wait now; empty if none waits} A pool that throws is closing. */
    static Optional<FullLender> now() {
        return Neighbours.lenders().stream()
                .filter(lender -> !lender.isOnStacks())
                .flatMap(lender -> of(lender).stream())
                .max(Comparator.comparingInt(FullLender::waiting));
    }

    private static Optional<FullLender> of(Lender lender) {
        try {
            int waiting = lender.waiting();
            return waiting > 0
                    ? Optional.of(
                            new FullLender(lender.name(), lender.setting(), lender.capacity(), lender.inUse(), waiting))
                    : Optional.empty();
        } catch (RuntimeException ignored) {
            return Optional.empty();
        }
    }

    Finding.Builder add(Finding.Builder finding) {
        return finding.evidence("resource", name)
                .evidence("capacity", capacity)
                .evidence("inUse", inUse)
                .evidence("waitingCalls", waiting);
    }

    String summary() {
        return Units.format(
                "%d of %d connections of %s are in use, and %s for one",
                inUse, capacity, name, Counted.of(waiting, "call waits", "calls wait"));
    }
}
