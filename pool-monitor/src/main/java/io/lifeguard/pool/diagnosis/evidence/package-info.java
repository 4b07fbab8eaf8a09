/**
 * Collects what measurements cannot tell: stacks, locks, and what the operating system knows of threads and the
 * process.
 */
@NullMarked
package io.lifeguard.pool.diagnosis.evidence;

import org.jspecify.annotations.NullMarked;
