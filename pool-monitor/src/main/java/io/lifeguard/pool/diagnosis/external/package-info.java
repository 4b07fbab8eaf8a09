/** Reads pools that are not instrumented, from outside. */
@NullMarked
package io.lifeguard.pool.diagnosis.external;

import org.jspecify.annotations.NullMarked;
