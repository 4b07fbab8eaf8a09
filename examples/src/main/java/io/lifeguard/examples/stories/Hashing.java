package io.lifeguard.examples.stories;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.ThreadLocalRandom;

/** Work for the processor: SHA-256 over a block of memory. Immutable, thread-safe. */
final class Hashing {

    private final byte[] block;

    /** Hashes that many bytes at a time. */
    Hashing(int bytes) {
        block = new byte[bytes];
        ThreadLocalRandom.current().nextBytes(block);
    }

    /** Hashes the block, and returns a bit of the result so that nobody can leave the work out. */
    int run() {
        return sha256(block)[0];
    }

    static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException everyPlatformHasIt) {
            throw new IllegalStateException(everyPlatformHasIt);
        }
    }
}
