package io.lifeguard.pool.compat;

import java.util.concurrent.BlockingQueue;

/** Makes changed copies of specifications, for wrong pools. */
final class Specs {

    private Specs() {}

    static PoolSpec withSizes(PoolSpec spec, int core, int maximum) {
        return complete(new PoolSpec(core, maximum, spec.queue()), spec);
    }

    static PoolSpec withQueue(PoolSpec spec, BlockingQueue<Runnable> queue) {
        return complete(new PoolSpec(spec.core(), spec.maximum(), queue), spec);
    }

    private static PoolSpec complete(PoolSpec changed, PoolSpec original) {
        return changed.keepAlive(original.keepAlive(), original.unit())
                .factory(original.factoryOrDefault())
                .handler(original.handlerOrDefault())
                .hooks(original.hooks());
    }
}
