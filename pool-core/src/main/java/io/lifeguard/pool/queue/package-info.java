/** Work queues that keep each task's enqueue time in the slot beside the raw task. Uses the JDK only. */
@NullMarked
package io.lifeguard.pool.queue;

import org.jspecify.annotations.NullMarked;
