/** Lifeguard's measurements as Micrometer meters. */
@NullMarked
package io.lifeguard.pool.micrometer;

import org.jspecify.annotations.NullMarked;
