/** Races between the executor and its users: submitters, interrupts, removal, shutdown. */
@NullMarked
package io.lifeguard.pool;

import org.jspecify.annotations.NullMarked;
