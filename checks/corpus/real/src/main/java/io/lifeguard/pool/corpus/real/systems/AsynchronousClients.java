package io.lifeguard.pool.corpus.real.systems;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.corpus.work.HttpService;
import io.lifeguard.pool.corpus.work.Randomness;
import io.lifeguard.workbench.Waiting;
import java.io.IOException;
import java.net.URL;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** A client with threads of its own, whose answers workers wait for. */
final class AsynchronousClients {

    private static final int WORKERS = 24;
    private static final double PER_SECOND = 200;

    private AsynchronousClients() {}

    static List<RealSystem> all() {
        return List.of(fiveCalls(
                "okhttp-five-per-host",
                "24 workers wait for calls of 40 ms, and OkHttp makes five at a time to a host by default",
                stage -> stage.keep(Executors.newFixedThreadPool(WORKERS))));
    }

    /** The same with a pool that the monitor watches from inside. */
    static List<RealSystem> instrumented() {
        return List.of(fiveCalls(
                "okhttp-five-threads",
                "24 workers of an instrumented pool wait for calls of 40 ms, and OkHttp makes five at a time",
                stage -> stage.keep(InstrumentedThreadPoolExecutor.named("prices")
                        .size(WORKERS)
                        .build())));
    }

    private static RealSystem fiveCalls(String name, String about, Function<Stage, ExecutorService> pool) {
        return RealSystem.named(name, "waits-on-another-pool")
                .about(about)
                .may("blocked-on-io") // true of OkHttp's own threads
                .at("AsynchronousClients.price")
                .cure("24 calls per host")
                .forms(
                        stage -> okHttp(stage, pool.apply(stage), 5),
                        stage -> okHttp(stage, pool.apply(stage), WORKERS));
    }

    private static void okHttp(Stage stage, ExecutorService workers, int perHost) {
        OkHttpClient client = stage.keep(new OkHttpClient());
        client.dispatcher().setMaxRequestsPerHost(perHost);
        URL url = HttpService.start(64).url(40);
        Semaphore standing = new Semaphore(2 * WORKERS);
        stage.loop("clients", () -> {
            Waiting.millis(Randomness.exponential(1_000 / PER_SECOND));
            standing.acquire();
            workers.execute(() -> {
                price(client, url);
                stage.countDone();
                standing.release();
            });
        });
    }

    private static void price(OkHttpClient client, URL url) {
        CompletableFuture<Integer> status = new CompletableFuture<>();
        client.newCall(new Request.Builder().url(url).build()).enqueue(new Callback() {
            @Override
            public void onFailure(Call call, IOException e) {
                status.completeExceptionally(e);
            }

            @Override
            public void onResponse(Call call, Response response) {
                try (response) {
                    status.complete(response.code());
                }
            }
        });
        status.join();
    }
}
