/** The programs behind the README: its six lines of code, and its picture. */
@NullMarked
package io.lifeguard.examples.readme;

import org.jspecify.annotations.NullMarked;
