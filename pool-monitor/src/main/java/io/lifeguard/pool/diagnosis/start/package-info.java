/** Says plain reasons, and starts the monitor. Not exported: {@link java.util.ServiceLoader} finds it. */
@NullMarked
package io.lifeguard.pool.diagnosis.start;

import org.jspecify.annotations.NullMarked;
