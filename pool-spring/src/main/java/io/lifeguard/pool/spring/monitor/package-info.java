/**
 * Passes the requests of contexts to the monitor of this JVM, and lists executors that it cannot observe. Types are
 * public only where another package of this module needs them.
 */
@NullMarked
package io.lifeguard.pool.spring.monitor;

import org.jspecify.annotations.NullMarked;
