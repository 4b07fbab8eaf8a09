/**
 * A web shop. It takes orders over HTTP, keeps them in a database, confirms them by mail in the background, and checks
 * them in a scheduled job.
 */
@NullMarked
package io.lifeguard.examples.orders;

import org.jspecify.annotations.NullMarked;
