/** Predicts throughput and service time of a pool at every size, and recommends a size. */
@NullMarked
package io.lifeguard.pool.diagnosis.sizing;

import org.jspecify.annotations.NullMarked;
