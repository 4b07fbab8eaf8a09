/** Thread pools that measure every task, and wait when they are full. */
module io.lifeguard.pool {
    requires java.management;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports io.lifeguard.pool;
    exports io.lifeguard.pool.diagnosis;

    uses io.lifeguard.pool.PoolObserver;
}
