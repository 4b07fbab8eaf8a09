package io.lifeguard.pool.compat;

import java.util.function.Consumer;

/** An application's code that calls the library. Defined by a loader of its own. */
public final class ApplicationCall implements Consumer<Runnable> {

    @Override
    public void accept(Runnable call) {
        call.run();
    }
}
