/** Virtual threads: their carriers, their scheduler, and the lines in which they wait. */
@NullMarked
package io.lifeguard.pool.diagnosis.evidence.carrier;

import org.jspecify.annotations.NullMarked;
