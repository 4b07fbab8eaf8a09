/**
 * A web shop: orders come in over HTTP, are kept in a database, confirmed by mail in the background and looked after by a scheduled job. What is
 * here are the application and what others of it share.
 */
@NullMarked
package io.lifeguard.examples.orders;

import org.jspecify.annotations.NullMarked;
