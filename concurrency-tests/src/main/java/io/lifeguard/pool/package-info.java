/** Races of the executor with its users: submitters, interrupts, removal, shutdown. */
@NullMarked
package io.lifeguard.pool;

import org.jspecify.annotations.NullMarked;
