/** Says which pools hold up the end of the JVM. */
@NullMarked
package io.lifeguard.pool.diagnosis.shutdown;

import org.jspecify.annotations.NullMarked;
