/** Races in the work queues. They are in the queues' package, because the stores of small segments are not public. */
@NullMarked
package io.lifeguard.pool.queue;

import org.jspecify.annotations.NullMarked;
