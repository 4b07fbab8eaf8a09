/** Lifeguard's findings as OpenTelemetry log records. */
@NullMarked
package io.lifeguard.pool.otel;

import org.jspecify.annotations.NullMarked;
