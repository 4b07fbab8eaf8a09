/** Reports for people: what many threads do, read from thread dumps. */
@NullMarked
package io.lifeguard.pool.report;

import org.jspecify.annotations.NullMarked;
