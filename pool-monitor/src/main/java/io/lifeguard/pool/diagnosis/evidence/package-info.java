/**
 * Collects the evidence that pools do not measure: stacks, locks, and the operating system's figures of threads and the
 * process.
 */
@NullMarked
package io.lifeguard.pool.diagnosis.evidence;

import org.jspecify.annotations.NullMarked;
