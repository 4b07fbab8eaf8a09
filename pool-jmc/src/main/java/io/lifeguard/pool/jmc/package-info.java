/** Rules for JDK Mission Control that show the findings in a flight recording. */
@NullMarked
package io.lifeguard.pool.jmc;

import org.jspecify.annotations.NullMarked;
