/** JVMs under torture that are looked at in every way this project knows, and must survive it. */
@NullMarked
package io.lifeguard.torture;

import org.jspecify.annotations.NullMarked;
