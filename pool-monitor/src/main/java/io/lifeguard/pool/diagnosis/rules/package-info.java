/** The rules that come with the library: one class per finding, named like it. */
@NullMarked
package io.lifeguard.pool.diagnosis.rules;

import org.jspecify.annotations.NullMarked;
