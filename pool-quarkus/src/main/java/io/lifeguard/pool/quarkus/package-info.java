/** The Quarkus extension, as it runs. */
@NullMarked
package io.lifeguard.pool.quarkus;

import org.jspecify.annotations.NullMarked;
