package io.lifeguard.pool;

import java.security.AccessController;
import java.security.PrivilegedAction;

/** Walks the caller's stack with classes. Thread-safe. */
final class CallerWalker {

    /** Made with the rights of this library, because a caller without rights may be the first to make a pool. */
    static final StackWalker WITH_CLASSES = create();

    private CallerWalker() {}

    @SuppressWarnings("removal") // without effect since Java 24
    private static StackWalker create() {
        return AccessController.doPrivileged(new Making());
    }

    /** No lambda, because the first pool of the JVM would wait for its class. */
    private static final class Making implements PrivilegedAction<StackWalker> {
        @Override
        public StackWalker run() {
            return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
        }
    }
}
