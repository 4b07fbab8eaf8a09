/** Who holds which lock, and the circles of threads that wait for each other. */
@NullMarked
package io.lifeguard.pool.diagnosis.evidence.lock;

import org.jspecify.annotations.NullMarked;
