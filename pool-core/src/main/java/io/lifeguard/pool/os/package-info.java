/** What the operating system knows about threads; where it knows nothing, it says so and nothing fails. */
@NullMarked
package io.lifeguard.pool.os;

import org.jspecify.annotations.NullMarked;
