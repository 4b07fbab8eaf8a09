/** What is done to a pool, and what is measured meanwhile. Runs inside the forked JVM. */
@NullMarked
package io.lifeguard.pool.benchmarks.scenarios;

import org.jspecify.annotations.NullMarked;
