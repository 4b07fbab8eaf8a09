/** Thread pools that measure every task, and wait when they are full. */
@SuppressWarnings("module") // those that our texts are exported to are built after us
module io.lifeguard.pool {
    requires java.management;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports io.lifeguard.pool;
    exports io.lifeguard.pool.diagnosis;
    exports io.lifeguard.pool.text to
            io.lifeguard.pool.micrometer,
            io.lifeguard.pool.spring,
            io.lifeguard.pool.tools;

    uses io.lifeguard.pool.PoolObserver;
    uses io.lifeguard.pool.diagnosis.Rule;

    provides io.lifeguard.pool.PoolObserver with
            io.lifeguard.pool.diagnosis.start.MonitorStarter;
}
