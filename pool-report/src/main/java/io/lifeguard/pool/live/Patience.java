package io.lifeguard.pool.live;

import java.time.Duration;

/**
 * How many connections a server keeps, and how long each may take. Immutable.
 *
 * @param connections how many are open at most; a further one takes the place of the one that did nothing for longest
 * @param turn how long each keeps its place at least, however many want one
 * @param request how long its request may take to arrive
 * @param answer how long the client may take to read an answer
 * @param farewell how long the client may take to end the connection after the answer
 */
record Patience(int connections, Duration turn, Duration request, Duration answer, Duration farewell) {

    /**
     * A browser opens six connections to a server, so 64 are ten viewers. A page asks once a second, or every 20
     * seconds while nobody sees it. A request of this machine arrives at once.
     */
    static final Patience USUAL = new Patience(
            64, Duration.ofMillis(50), Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(1));
}
