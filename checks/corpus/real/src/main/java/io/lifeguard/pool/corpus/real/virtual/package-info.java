/**
 * Programs on virtual threads with the libraries that services use, sick and healthy, judged from inside and outside.
 */
@NullMarked
package io.lifeguard.pool.corpus.real.virtual;

import org.jspecify.annotations.NullMarked;
