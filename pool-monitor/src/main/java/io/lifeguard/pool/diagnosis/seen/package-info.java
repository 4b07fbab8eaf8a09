/**
 * What the library's own rules are given besides a window of a pool: event loops, carriers, circles and chains of
 * waiting threads, the other pools; and what is known of a program's own frames, connection pools and settings. Not for
 * users.
 */
@NullMarked
package io.lifeguard.pool.diagnosis.seen;

import org.jspecify.annotations.NullMarked;
