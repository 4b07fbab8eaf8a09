/** Judges flight recordings that were made with this library. */
@NullMarked
package io.lifeguard.pool.tools.diagnosis;

import org.jspecify.annotations.NullMarked;
