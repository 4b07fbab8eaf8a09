/** Tells the monitor of connection pools that are beans, or have meters. Not for users. */
@NullMarked
package io.lifeguard.pool.spring.connection;

import org.jspecify.annotations.NullMarked;
