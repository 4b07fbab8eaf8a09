@NullMarked
package io.lifeguard.pool.architecture;

import org.jspecify.annotations.NullMarked;
