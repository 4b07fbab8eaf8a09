package io.lifeguard.examples.jaraudit;

import java.io.IOException;

/** Knows jars by their SHA-1. Implementations are thread-safe. */
@FunctionalInterface
interface Catalogue {

    /**
     * Returns what is known about a jar.
     *
     * @throws IOException when the catalogue cannot be asked, or answers nonsense
     */
    String lookUp(String sha1) throws IOException, InterruptedException;
}
