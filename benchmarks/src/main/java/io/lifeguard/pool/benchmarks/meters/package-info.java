/** What publishing a pool's meters costs. */
@NullMarked
package io.lifeguard.pool.benchmarks.meters;

import org.jspecify.annotations.NullMarked;
