/** The application from outside: started as users start it, asked over HTTP. */
@NullMarked
package io.lifeguard.examples.orders;

import org.jspecify.annotations.NullMarked;
