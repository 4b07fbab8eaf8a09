/** The recording: what pools, workers and findings did, as a stream of observations that all views read. */
@NullMarked
package io.lifeguard.pool.recording;

import org.jspecify.annotations.NullMarked;
