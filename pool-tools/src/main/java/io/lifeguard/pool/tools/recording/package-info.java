/** Reads what this library has written to flight recordings. */
@NullMarked
package io.lifeguard.pool.tools.recording;

import org.jspecify.annotations.NullMarked;
