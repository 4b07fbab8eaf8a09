/** Programs that show Lifeguard at work. */
@NullMarked
package io.lifeguard.examples;

import org.jspecify.annotations.NullMarked;
