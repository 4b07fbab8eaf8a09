/** The autoconfiguration of Lifeguard in Spring Boot applications. */
@NullMarked
package io.lifeguard.pool.spring;

import org.jspecify.annotations.NullMarked;
