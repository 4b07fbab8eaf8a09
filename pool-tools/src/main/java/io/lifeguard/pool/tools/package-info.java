/**
 * The command line program {@code lifeguard}. {@link io.lifeguard.pool.tools.Lifeguard} is its entry point. Each
 * command is one class named {@code …Command}.
 */
@NullMarked
package io.lifeguard.pool.tools;

import org.jspecify.annotations.NullMarked;
