/** What starts the monitor. Not exported: it is found by {@link java.util.ServiceLoader}. */
@NullMarked
package io.lifeguard.pool.diagnosis.start;

import org.jspecify.annotations.NullMarked;
