/** The agent's own part: finds the executors of the JVM, and has the monitor watch them. */
@NullMarked
package io.lifeguard.pool.agent.inside;

import org.jspecify.annotations.NullMarked;
