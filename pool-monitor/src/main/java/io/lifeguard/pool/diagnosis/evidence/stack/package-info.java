/** Looks at threads: which stacks are taken, what a stack says of a wait, and the lock that it waits for. */
@NullMarked
package io.lifeguard.pool.diagnosis.evidence.stack;

import org.jspecify.annotations.NullMarked;
