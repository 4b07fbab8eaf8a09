/**
 * Stories about sick thread pools. Each runs the sick pool, prints the finding, runs the cured pool and prints the
 * gain.
 */
@NullMarked
package io.lifeguard.examples.stories;

import org.jspecify.annotations.NullMarked;
