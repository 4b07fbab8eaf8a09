/** Writes JSON. */
@NullMarked
package io.lifeguard.pool.tools.json;

import org.jspecify.annotations.NullMarked;
