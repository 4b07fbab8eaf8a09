package io.lifeguard.examples.jaraudit;

import java.nio.file.Path;

/**
 * A file to audit. Immutable.
 *
 * @param path where it is
 * @param name what to call it: the path below the audited directory, safe to print
 */
record Jar(Path path, String name) {}
