package io.lifeguard.examples.micronaut;

import io.micronaut.runtime.Micronaut;

/** Starts the application. */
public final class Main {

    private Main() {}

    /**
     * Starts it.
     *
     * @param arguments properties of the application, as {@code -micronaut.server.port=8081}
     */
    public static void main(String[] arguments) {
        Micronaut.run(Main.class, arguments);
    }
}
