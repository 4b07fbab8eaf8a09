package io.lifeguard.pool.compat;

import java.util.Collection;
import java.util.List;
import org.assertj.core.api.Assertions;

/** Assertions on the identity of objects, without their {@code equals}. */
final class Same {

    private Same() {}

    /** {@code actual} holds these very objects in this order, and no others. */
    static void objects(String what, Collection<?> actual, Object... expected) {
        Assertions.assertThat(List.<Object>copyOf(actual))
                .as(what)
                .usingElementComparator((a, b) -> a == b ? 0 : 1)
                .containsExactly(expected);
    }
}
