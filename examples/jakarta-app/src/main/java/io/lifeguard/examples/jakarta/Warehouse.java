package io.lifeguard.examples.jakarta;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Asks another system, whose address is the system property {@code warehouse}. Stateless. */
final class Warehouse {

    private Warehouse() {}

    /** {@return what it answers} */
    static String ask() throws IOException {
        try (InputStream answer =
                URI.create(System.getProperty("warehouse", "")).toURL().openStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
