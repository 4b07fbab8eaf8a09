/** The Quarkus extension, as the application is built. */
@NullMarked
package io.lifeguard.pool.quarkus.deployment;

import org.jspecify.annotations.NullMarked;
