/** Sees pools that are not instrumented from outside: their numbers, their threads, and who runs their tasks. */
@NullMarked
package io.lifeguard.pool.diagnosis.outside;

import org.jspecify.annotations.NullMarked;
