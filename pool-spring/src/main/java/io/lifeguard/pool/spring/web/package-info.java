/** Watches the request threads of Tomcat and Jetty. Not for users. */
@NullMarked
package io.lifeguard.pool.spring.web;

import org.jspecify.annotations.NullMarked;
