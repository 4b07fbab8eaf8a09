/** The program in the README. */
@NullMarked
package io.lifeguard.examples.readme;

import org.jspecify.annotations.NullMarked;
