package io.lifeguard.examples.jaraudit;

import java.nio.file.Path;

/**
 * A jar to audit, or a package of the JDK. Immutable.
 *
 * @param path the file, or the directory of the package
 * @param name the path below the audited directory, or module and package; safe to print
 */
record Jar(Path path, String name) {}
