/** What a user types: executors, their factories and builder, saturation policies, and the snapshot of a pool. */
@NullMarked
package io.lifeguard.pool;

import org.jspecify.annotations.NullMarked;
