/** Opens reports in a real browser. */
@NullMarked
package io.lifeguard.browser;

import org.jspecify.annotations.NullMarked;
