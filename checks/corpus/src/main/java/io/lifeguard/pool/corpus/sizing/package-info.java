/**
 * Measures how good recommended sizes are. Pools are swept over sizes and compared with predictions from single
 * windows.
 */
@NullMarked
package io.lifeguard.pool.corpus.sizing;

import org.jspecify.annotations.NullMarked;
