package io.lifeguard.pool.corpus.looks;

import java.util.OptionalInt;

/**
 * A finding that stood at the moment of a look. Immutable.
 *
 * @param id the finding's id
 * @param pool the pool's name
 * @param recommendedSize the recommended size, where the finding has one
 * @param size the pool's maximum size at that moment; empty when it is unknown, as for an event loop
 * @param text summary, advice and evidence, for people
 */
public record Standing(String id, String pool, OptionalInt recommendedSize, OptionalInt size, String text) {

    /** The finding that says where the workers of a full pool are. It is true of any full pool, so no label has it. */
    public static final String LEAST = "pool-full";

    /** What a finding says about the number of workers. */
    enum Direction {
        MORE,
        NOT_MORE,
        NONE
    }

    /**
     * What the finding says about the number of workers. A recommended size tells it. Without one the id does: growing
     * cures {@code blocked-on-io}, and is useless or harmful with the other causes.
     */
    Direction direction() {
        if (recommendedSize.isPresent() && size.isPresent()) {
            int change = Integer.compare(recommendedSize.getAsInt(), size.getAsInt());
            return change > 0 ? Direction.MORE : Direction.NOT_MORE;
        }
        return switch (id) {
            case "blocked-on-io" -> Direction.MORE;
            case "cpu-saturated", "downstream-saturated", "lock-contention", "oversized" -> Direction.NOT_MORE;
            default -> Direction.NONE;
        };
    }

    /** Whether two findings about the same pool give opposite advice. */
    boolean contradicts(Standing other) {
        return pool.equals(other.pool)
                && direction() != Direction.NONE
                && other.direction() != Direction.NONE
                && direction() != other.direction();
    }

    /** Whether the text names this place: a method, a class or a line. */
    boolean names(String place) {
        return text.contains(place);
    }
}
