/** Classical JMH benchmarks of the single steps that a measured task is made of. */
@NullMarked
package io.lifeguard.pool.benchmarks.primitives;

import org.jspecify.annotations.NullMarked;
