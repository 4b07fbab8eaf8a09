/** Programs that show Lifeguard at work. Each is a command of {@code examples.jar}. Nothing here is published. */
@NullMarked
package io.lifeguard.examples;

import org.jspecify.annotations.NullMarked;
