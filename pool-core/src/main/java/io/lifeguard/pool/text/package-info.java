/** What people read: texts of users, which must not forge a line of a log, and numbers of things. */
@NullMarked
package io.lifeguard.pool.text;

import org.jspecify.annotations.NullMarked;
