/** How closely each pool is looked at, and what is not seen or not judged. */
@NullMarked
package io.lifeguard.pool.diagnosis.attention;

import org.jspecify.annotations.NullMarked;
