/**
 * Reads flight recordings of programs without this library, replays what their threads did, and has the library's rules
 * judge it. Does not use the command line.
 */
@NullMarked
package io.lifeguard.pool.tools.analyze;

import org.jspecify.annotations.NullMarked;
