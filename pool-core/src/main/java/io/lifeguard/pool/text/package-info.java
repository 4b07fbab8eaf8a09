/** Text for people: names and failures from user code, made safe for a log, and numbers with their nouns. */
@NullMarked
package io.lifeguard.pool.text;

import org.jspecify.annotations.NullMarked;
