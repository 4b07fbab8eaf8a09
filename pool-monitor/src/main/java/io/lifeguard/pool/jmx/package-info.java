/** Shows pools and findings to JMX clients. */
@NullMarked
package io.lifeguard.pool.jmx;

import org.jspecify.annotations.NullMarked;
