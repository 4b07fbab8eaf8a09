/** The HTTP server of the live page: one thread, and a bounded number of connections. */
@NullMarked
package io.lifeguard.pool.live;

import org.jspecify.annotations.NullMarked;
