/** True stories about thread pools, each one run before your eyes: before, what the lifeguard found, after, and what that gained. */
@NullMarked
package io.lifeguard.examples.stories;

import org.jspecify.annotations.NullMarked;
