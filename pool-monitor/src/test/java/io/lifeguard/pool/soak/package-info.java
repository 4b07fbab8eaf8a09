/** Reliability under everything at once: {@code Soak} in the large, {@code ShutdownRaces} in the small. */
package io.lifeguard.pool.soak;
