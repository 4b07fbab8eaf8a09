package io.lifeguard.pool;

import java.security.AccessController;
import java.security.PrivilegedAction;

/** Walks the caller's stack with classes. Thread-safe. */
/* It is the action itself, because the first pool of the JVM would wait for the class of a lambda. */
final class CallerWalker implements PrivilegedAction<StackWalker> {

    /** Made with the rights of this library, because a caller without rights may be the first to make a pool. */
    static final StackWalker WITH_CLASSES = create();

    private CallerWalker() {}

    @SuppressWarnings("removal") // without effect since Java 24
    private static StackWalker create() {
        return AccessController.doPrivileged(new CallerWalker());
    }

    @Override
    public StackWalker run() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    }
}
