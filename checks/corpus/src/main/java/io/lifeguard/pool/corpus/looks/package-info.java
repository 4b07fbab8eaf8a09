/** Watches what stands in a monitor's findings over minutes, and judges it against a label. */
@NullMarked
package io.lifeguard.pool.corpus.looks;

import org.jspecify.annotations.NullMarked;
