/** Thread pools that measure every task, and wait when they are full. */
@SuppressWarnings("module") // those that hidden packages are exported to are built after this module
module io.lifeguard.pool {
    requires org.slf4j;
    requires static java.management; // for the CPU time of threads, which is unknown without it
    requires static transitive org.jspecify;

    exports io.lifeguard.pool;
    exports io.lifeguard.pool.measure to
            io.lifeguard.pool.monitor,
            io.lifeguard.pool.tools;
    exports io.lifeguard.pool.os to
            io.lifeguard.pool.monitor,
            io.lifeguard.pool.spring;
    exports io.lifeguard.pool.text to
            io.lifeguard.pool.micrometer,
            io.lifeguard.pool.monitor,
            io.lifeguard.pool.report,
            io.lifeguard.pool.spring,
            io.lifeguard.pool.tools;

    uses io.lifeguard.pool.PoolObserver;
}
