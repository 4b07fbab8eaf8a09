package io.lifeguard.examples.jaraudit;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Creates SHA-1 digests. Stateless. */
final class Sha1 {

    private Sha1() {}

    static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
