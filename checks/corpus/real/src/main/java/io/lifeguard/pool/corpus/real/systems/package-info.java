/** Servers, libraries and frameworks as their users run them, each with a sickness and its cure. */
@NullMarked
package io.lifeguard.pool.corpus.real.systems;

import org.jspecify.annotations.NullMarked;
