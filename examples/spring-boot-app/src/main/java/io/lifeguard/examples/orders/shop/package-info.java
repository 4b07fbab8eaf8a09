/** What the shop does when it is well. */
@NullMarked
package io.lifeguard.examples.orders.shop;

import org.jspecify.annotations.NullMarked;
