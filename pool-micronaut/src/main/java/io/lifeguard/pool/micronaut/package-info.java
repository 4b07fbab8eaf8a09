/** The module for Micronaut: listeners for beans that tell the monitor of executors and data sources. */
@NullMarked
package io.lifeguard.pool.micronaut;

import org.jspecify.annotations.NullMarked;
