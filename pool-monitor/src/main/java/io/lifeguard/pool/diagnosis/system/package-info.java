/**
 * Readers of the operating system's figures about threads, the process and the machine. Figures that the system does
 * not provide are "unknown", and nothing fails.
 */
@NullMarked
package io.lifeguard.pool.diagnosis.system;

import org.jspecify.annotations.NullMarked;
