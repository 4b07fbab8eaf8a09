/** How good the recommended sizes are: pools swept over sizes, and what was predicted from one window of three of them. */
@NullMarked
package io.lifeguard.pool.corpus.sizing;

import org.jspecify.annotations.NullMarked;
