package io.lifeguard.pool.diagnosis.rules;

import java.util.List;

/** Stacks as findings print them. Stateless. */
final class StackLines {

    /** More lines than this nobody reads in a log. */
    private static final int MOST = 16;

    private StackLines() {}

    /** The top of a stack, one line per frame. */
    static List<String> of(List<StackTraceElement> stack) {
        return stack.stream().limit(MOST).map(StackTraceElement::toString).toList();
    }
}
