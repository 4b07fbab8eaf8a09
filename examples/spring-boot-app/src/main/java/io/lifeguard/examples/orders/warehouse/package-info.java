/** What lies behind the application, and the work it does. */
@NullMarked
package io.lifeguard.examples.orders.warehouse;

import org.jspecify.annotations.NullMarked;
