module consumer {
    requires io.lifeguard.pool.monitor;

    provides io.lifeguard.pool.PoolObserver with
            consumer.Witness;
}
