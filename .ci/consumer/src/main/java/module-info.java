module consumer {
    requires io.lifeguard.pool;

    provides io.lifeguard.pool.PoolObserver with
            consumer.Witness;
}
