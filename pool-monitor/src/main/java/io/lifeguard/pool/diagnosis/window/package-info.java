/** What a rule is given: one window of one pool, with the windows before it, its workers, and the process. */
@NullMarked
package io.lifeguard.pool.diagnosis.window;

import org.jspecify.annotations.NullMarked;
