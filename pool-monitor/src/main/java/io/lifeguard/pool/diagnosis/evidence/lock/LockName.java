package io.lifeguard.pool.diagnosis.evidence.lock;

/** Names locks by class and identity, as the JDK's {@code LockInfo} does. Stateless; calls nothing of the lock. */
public final class LockName {

    private LockName() {}

    public static String of(Object lock) {
        return lock.getClass().getName() + '@' + Integer.toHexString(System.identityHashCode(lock));
    }
}
