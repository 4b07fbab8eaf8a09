/** The HTTP server of the live page; only this package uses {@code jdk.httpserver}. */
@NullMarked
package io.lifeguard.pool.live;

import org.jspecify.annotations.NullMarked;
