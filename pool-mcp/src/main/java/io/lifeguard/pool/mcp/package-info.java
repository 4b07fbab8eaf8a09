/** A server of the Model Context Protocol that tells agents what Lifeguard's commands report. */
@NullMarked
package io.lifeguard.pool.mcp;

import org.jspecify.annotations.NullMarked;
