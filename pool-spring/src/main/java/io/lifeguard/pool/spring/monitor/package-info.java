/**
 * What contexts request of the monitor of this JVM, and which executors it cannot observe. Not for users: types are
 * public only where another package of this module needs them.
 */
@NullMarked
package io.lifeguard.pool.spring.monitor;

import org.jspecify.annotations.NullMarked;
