module consumer {
    requires io.lifeguard.pool;
}
