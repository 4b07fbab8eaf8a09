/** Reads from the operating system what Java does not tell about threads, the process and the machine. Where the system does not tell,
 * the answer is "unknown", and nothing fails. */
@NullMarked
package io.lifeguard.pool.os;

import org.jspecify.annotations.NullMarked;
