/** Thread pools that measure every task, and wait when they are full. */
module io.lifeguard.pool {
    requires java.management;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports io.lifeguard.pool;

    uses io.lifeguard.pool.PoolObserver;
}
