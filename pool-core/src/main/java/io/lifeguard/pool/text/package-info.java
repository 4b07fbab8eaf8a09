/** Text for people: names and failures from user code, made safe for a log; numbers with units and nouns. */
@NullMarked
package io.lifeguard.pool.text;

import org.jspecify.annotations.NullMarked;
