/** Programs that show Lifeguard at work, each of them a command of one jar. Nothing in here is published. */
@NullMarked
package io.lifeguard.examples;

import org.jspecify.annotations.NullMarked;
