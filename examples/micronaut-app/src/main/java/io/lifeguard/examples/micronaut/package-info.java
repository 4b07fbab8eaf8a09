/** A Micronaut application that can be made sick in six ways. */
@NullMarked
package io.lifeguard.examples.micronaut;

import org.jspecify.annotations.NullMarked;
