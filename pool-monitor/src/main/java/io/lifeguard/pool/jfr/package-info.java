/** Flight recordings: writes observations as events of {@code jdk.jfr}, and reads them back. */
@NullMarked
package io.lifeguard.pool.jfr;

import org.jspecify.annotations.NullMarked;
