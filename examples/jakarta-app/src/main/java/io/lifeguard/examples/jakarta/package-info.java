/** A Jakarta application that can be made sick on request. It knows nothing of Lifeguard. */
@NullMarked
package io.lifeguard.examples.jakarta;

import org.jspecify.annotations.NullMarked;
