/** What the system tells of CPU: the times of workers, of this process and of others, and the budget of the monitor. */
@NullMarked
package io.lifeguard.pool.diagnosis.evidence.cpu;

import org.jspecify.annotations.NullMarked;
