/** The healthy part of the shop. */
@NullMarked
package io.lifeguard.examples.orders.shop;

import org.jspecify.annotations.NullMarked;
