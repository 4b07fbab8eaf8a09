/** Real work that workloads are made of: hashing, compressing, services on loopback, a database, files. */
@NullMarked
package io.lifeguard.pool.corpus.work;

import org.jspecify.annotations.NullMarked;
