/** The JSON that programs read, the same from every command, endpoint and bean. */
@NullMarked
package io.lifeguard.pool.schema;

import org.jspecify.annotations.NullMarked;
