/** The scenarios: what is done to a pool and measured. Runs inside the forked JVM. */
@NullMarked
package io.lifeguard.pool.benchmarks.scenarios;

import org.jspecify.annotations.NullMarked;
