/** What people read: texts of users that must not forge a line of a log. */
@NullMarked
package io.lifeguard.pool.text;

import org.jspecify.annotations.NullMarked;
