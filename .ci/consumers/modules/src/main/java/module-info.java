module consumer {
    requires io.lifeguard.pool.monitor;
    requires java.management;

    provides io.lifeguard.pool.PoolObserver with
            consumer.Witness;
}
