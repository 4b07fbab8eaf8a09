/** Races of the work queues. In their package, because the stores of small segments are not public. */
@NullMarked
package io.lifeguard.pool.queue;

import org.jspecify.annotations.NullMarked;
