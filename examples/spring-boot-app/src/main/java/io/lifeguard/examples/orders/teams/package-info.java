/** Executors as teams declare them in their own applications, each of which can fall sick. Profile {@code teams}. */
@NullMarked
package io.lifeguard.examples.orders.teams;

import org.jspecify.annotations.NullMarked;
