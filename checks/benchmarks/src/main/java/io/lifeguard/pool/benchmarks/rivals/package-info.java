/** The pools that are compared, each behind the same small interface. */
@NullMarked
package io.lifeguard.pool.benchmarks.rivals;

import org.jspecify.annotations.NullMarked;
