/** jcstress tests of the lock-free parts of Lifeguard. */
@NullMarked
package io.lifeguard.concurrency;

import org.jspecify.annotations.NullMarked;
