/** Plays real systems, sick and cured, and reports how the diagnosis judged them. */
@NullMarked
package io.lifeguard.pool.corpus.real;

import org.jspecify.annotations.NullMarked;
