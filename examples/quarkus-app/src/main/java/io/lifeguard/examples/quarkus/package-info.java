/** A Quarkus application that can be made sick in seven ways. */
@NullMarked
package io.lifeguard.examples.quarkus;

import org.jspecify.annotations.NullMarked;
