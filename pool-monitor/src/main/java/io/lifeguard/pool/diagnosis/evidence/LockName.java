package io.lifeguard.pool.diagnosis.evidence;

/** Names locks by class and identity, as the JDK's {@code LockInfo} does. Stateless; calls nothing of the lock. */
final class LockName {

    private LockName() {}

    static String of(Object lock) {
        return lock.getClass().getName() + '@' + Integer.toHexString(System.identityHashCode(lock));
    }
}
