/**
 * Reads thread dumps, and adds up what the threads in them do. Begin with
 * {@link io.lifeguard.pool.tools.dumps.ThreadDumps}.
 */
@NullMarked
package io.lifeguard.pool.tools.dumps;

import org.jspecify.annotations.NullMarked;
