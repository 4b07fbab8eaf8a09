/** Shows what the pools do: the last minute as one HTML page, and a page that grows. */
@NullMarked
package io.lifeguard.pool.report;

import org.jspecify.annotations.NullMarked;
