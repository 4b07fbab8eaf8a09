/** Customers who order at the same time, from one or several instances of the application. */
@NullMarked
package io.lifeguard.examples.orders.load;

import org.jspecify.annotations.NullMarked;
