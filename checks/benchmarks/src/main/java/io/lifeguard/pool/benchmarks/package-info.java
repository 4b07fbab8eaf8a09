/**
 * What Lifeguard's pools cost, beside the JDK's and others': {@link io.lifeguard.pool.benchmarks.Suite} runs everything
 * in one interleaved run and writes a table.
 */
@NullMarked
package io.lifeguard.pool.benchmarks;

import org.jspecify.annotations.NullMarked;
