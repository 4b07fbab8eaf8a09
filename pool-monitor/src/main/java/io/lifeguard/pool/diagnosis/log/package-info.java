/** What the monitor writes to the log, on a thread of its own, and the calls of users' code that it survives. */
@NullMarked
package io.lifeguard.pool.diagnosis.log;

import org.jspecify.annotations.NullMarked;
