package io.lifeguard.examples.jaraudit;

import java.io.IOException;

/** A service that finds jars by their SHA-1. Implementations are thread-safe. */
@FunctionalInterface
interface Catalogue {

    /**
     * Returns what is known about a jar.
     *
     * @throws IOException if the catalogue cannot be reached or does not answer as it should
     */
    String lookUp(String sha1) throws IOException, InterruptedException;
}
