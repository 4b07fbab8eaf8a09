/** A server of the Model Context Protocol that says what Lifeguard's commands say. */
@NullMarked
package io.lifeguard.pool.mcp;

import org.jspecify.annotations.NullMarked;
