package io.lifeguard.examples.stories;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.ThreadLocalRandom;

/** A task that computes: SHA-256 of a block of memory. Immutable. */
final class Hashing {

    private final byte[] block;

    /** Creates the work of hashing that many bytes. */
    Hashing(int bytes) {
        block = new byte[bytes];
        ThreadLocalRandom.current().nextBytes(block);
    }

    /** Hashes the block, and returns a part of the result so that the compiler cannot leave out the work. */
    int run() {
        return sha256(block)[0];
    }

    static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
