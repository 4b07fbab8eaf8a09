/** JMH benchmarks of the single steps of a measured task. */
@NullMarked
package io.lifeguard.pool.benchmarks.primitives;

import org.jspecify.annotations.NullMarked;
