package io.lifeguard.pool.diagnosis;

import java.util.List;

/** Stacks as findings print them. Stateless. */
final class Frames {

    /** More lines than this nobody reads in a log. */
    private static final int MOST = 16;

    private Frames() {}

    /** The top of a stack, one line per frame. */
    static List<String> lines(List<StackTraceElement> stack) {
        return stack.stream().limit(MOST).map(StackTraceElement::toString).toList();
    }
}
