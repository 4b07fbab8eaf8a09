/**
 * The properties below {@code lifeguard.}, and how they are bound. Not for users: types are public only where another
 * package of this module needs them.
 */
@NullMarked
package io.lifeguard.pool.spring.properties;

import org.jspecify.annotations.NullMarked;
