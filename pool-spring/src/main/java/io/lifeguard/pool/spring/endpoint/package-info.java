/** The actuator endpoint {@code threadpools} and its JSON. Not for users. */
@NullMarked
package io.lifeguard.pool.spring.endpoint;

import org.jspecify.annotations.NullMarked;
