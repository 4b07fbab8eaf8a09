package io.lifeguard.pool.diagnosis.seen;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Holds what an integration knows about this process besides its thread pools: its connection pools, and which setting
 * holds the size of a thread pool. Findings name both. Thread-safe. There is one for the JVM.
 */
public final class Neighbours {

    /** A setting is kept when its pool is gone, because a pool of that name may come again. */
    private static final int MOST_SETTINGS = 1_000;

    private static final List<Lender> LENDERS = new CopyOnWriteArrayList<>();
    private static final Map<String, Setting> SETTINGS = new ConcurrentHashMap<>();

    private Neighbours() {}

    /**
     * How the user sets the size of a pool, and what else may be known.
     *
     * @param size what a reader types, as {@code lifeguard.pools.orders.size}; not blank
     * @param queue what sets the capacity of its queue; empty if that is unknown
     * @param saturation what sets the policy of the full pool; empty if that is unknown
     * @param remark what is added to the advice of each finding; empty for nothing
     */
    public record Setting(String size, String queue, String saturation, String remark) {

        /**
         * Knows nothing of the queue and the policy.
         *
         * @param size what a reader types; not blank
         * @param remark what is added to the advice of each finding; empty for nothing
         */
        public Setting(String size, String remark) {
            this(size, "", "", remark);
        }
    }

    /**
     * Adds a pool of connections, which is held until {@link #remove}.
     *
     * @param lender not null
     */
    public static void add(Lender lender) {
        LENDERS.add(lender);
    }

    /**
     * Removes a pool of connections. Does nothing if it is not there.
     *
     * @param lender not null
     */
    public static void remove(Lender lender) {
        LENDERS.remove(lender);
    }

    /** {@return all pools of connections, in the order in which they were added} */
    public static List<Lender> lenders() {
        return List.copyOf(LENDERS);
    }

    /**
     * Says how the size of a pool is set.
     *
     * @param pool the pool's name, not null
     * @param setting not null
     */
    public static void put(String pool, Setting setting) {
        if (SETTINGS.size() < MOST_SETTINGS || SETTINGS.containsKey(pool)) {
            SETTINGS.put(pool, setting);
        }
    }

    /**
     * {@return how the size of a pool is set; empty if nobody has said so}
     *
     * @param pool the pool's name, not null
     */
    public static Optional<Setting> settingOf(String pool) {
        return Optional.ofNullable(SETTINGS.get(pool));
    }

    /**
     * {@return the pool of connections of that name; empty if there is none}
     *
     * @param name not null
     */
    public static Optional<Lender> lender(String name) {
        for (Lender lender : LENDERS) {
            if (lender.name().equals(name)) {
                return Optional.of(lender);
            }
        }
        return Optional.empty();
    }
}
