package io.lifeguard.pool.tools.watch;

import static io.lifeguard.pool.tools.watch.DumpText.busy;
import static io.lifeguard.pool.tools.watch.DumpText.dump;
import static io.lifeguard.pool.tools.watch.DumpText.idle;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.tools.watch.PoolFinder.FoundPool;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Threads that are named after what they do belong to one pool as soon as one of them had two names. */
class RenamedThreadsTest {

    private final RenamedThreads names = new RenamedThreads();

    @Test
    void see_threadWasRenamed_bothGroupsAreOnePoolWithTheirCommonBeginning() {
        names.see(dump(busy("OkHttp https://a/..."), idle("OkHttp Dispatcher")));
        String renamed = named(busy("OkHttp https://a/..."), "OkHttp Dispatcher");
        names.see(dump(renamed));

        assertThat(pools(busy("OkHttp https://a/..."), idle("OkHttp Dispatcher")))
                .singleElement()
                .satisfies(pool -> assertThat(pool.name()).isEqualTo("OkHttp"))
                .satisfies(pool -> assertThat(pool.workers()).hasSize(2));
    }

    @Test
    void see_threadHasAThirdName_joinsItToo() {
        names.see(dump(busy("task 1 of night")));
        names.see(dump(named(busy("task 1 of night"), "task 2 of night")));
        names.see(dump(named(busy("task 1 of night"), "idle")));

        assertThat(names.of("task 1 of night")).isEqualTo(names.of("idle")).isEqualTo(names.of("task 2 of night"));
    }

    @Test
    void see_namesStay_areDifferentPools() {
        for (int i = 0; i < 2; i++) {
            names.see(dump(busy("orders-1"), idle("mail-1")));
        }

        assertThat(pools(busy("orders-1"), idle("mail-1")))
                .extracting(FoundPool::name)
                .containsExactly("orders", "mail");
    }

    private List<FoundPool> pools(String... threads) {
        return PoolFinder.find(dump(threads), names::of, new ThreadShapes()).pools();
    }

    /** The same thread by the system's number. */
    private static String named(String thread, String name) {
        return thread.replaceFirst("\"[^\"]*\"", '"' + name + '"');
    }
}
