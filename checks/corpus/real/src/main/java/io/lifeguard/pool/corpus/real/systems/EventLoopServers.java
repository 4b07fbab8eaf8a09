package io.lifeguard.pool.corpus.real.systems;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.corpus.work.HttpService;
import io.lifeguard.workbench.Hashing;
import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.japi.function.Function;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;

/** Servers with event loops. Their sick handlers call a service from the loop and wait for it. */
final class EventLoopServers {

    private static final String LOOP = "event-loop-blocked";
    private static final String FULL = "event-loop-full";
    private static final double MILLIS = 30;
    private static final int CLIENTS = 16;

    private EventLoopServers() {}

    static List<RealSystem> all() {
        return List.of(
                RealSystem.named("webflux-blocking-handler", LOOP)
                        .about("a controller of Spring WebFlux calls a service and waits, on Reactor Netty's loops")
                        .at("Prices.price")
                        .cure("the call runs on boundedElastic")
                        .quick()
                        .forms(stage -> webflux(stage, false), stage -> webflux(stage, true)),
                RealSystem.named("vertx-blocking-handler", LOOP)
                        .about("a handler of Vert.x calls a service and waits, on the event loop")
                        .at("VertxShop.price")
                        .cure("executeBlocking")
                        .forms(stage -> vertx(stage, false), stage -> vertx(stage, true)),
                RealSystem.named("vertx-full-loop", FULL, LOOP)
                        .about("short handlers of Vert.x, which compute, fill its only event loop")
                        .at("VertxDesk")
                        .cure("executeBlocking")
                        .forms(stage -> vertxFull(stage, false), stage -> vertxFull(stage, true)),
                RealSystem.named("undertow-blocking-handler", LOOP)
                        .about("a handler of Undertow calls a service and waits, on the I/O thread")
                        .at("UndertowShop.price")
                        .cure("dispatch to the worker")
                        .forms(stage -> undertow(stage, false), stage -> undertow(stage, true)),
                RealSystem.named("pekko-http-blocking-route", LOOP, "blocked-on-io")
                        .about("a handler of Pekko HTTP calls a service and waits, on the default dispatcher")
                        .at("PekkoShop.price")
                        .cure("a pool of 16 for the calls")
                        .forms(stage -> pekko(stage, false), stage -> pekko(stage, true)));
    }

    private static void webflux(Stage stage, boolean offloaded) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean(Prices.class, () -> new Prices(HttpService.start(64), offloaded));
        context.register(WebFlux.class);
        context.refresh();
        DisposableServer server = stage.keep(reactor.netty.http.server.HttpServer.create()
                .host("localhost")
                .port(0)
                .handle(new ReactorHttpHandlerAdapter(
                        WebHttpHandlerBuilder.applicationContext(context).build()))
                .bindNow());
        stage.clients(CLIENTS, server.port(), "/price");
    }

    private static void vertx(Stage stage, boolean offloaded) throws Exception {
        Vertx vertx = stage.keep(Vertx.vertx());
        VertxShop shop = new VertxShop(HttpService.start(64));
        HttpServer server = vertx.createHttpServer().requestHandler(request -> {
            if (offloaded) {
                vertx.executeBlocking(shop::price, false)
                        .onSuccess(price -> request.response().end(price));
            } else {
                shop.answer(request);
            }
        });
        server.listen(0, "localhost").toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        stage.clients(CLIENTS, server.actualPort(), "/price");
    }

    private static void vertxFull(Stage stage, boolean offloaded) throws Exception {
        if (Hashing.micros(1) == 0) {
            System.out.println("calibrated before the loop starts");
        }
        Vertx vertx = stage.keep(Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1)));
        VertxDesk desk = new VertxDesk();
        HttpServer server = vertx.createHttpServer().requestHandler(request -> {
            if (offloaded) {
                vertx.executeBlocking(desk::price, false)
                        .onSuccess(price -> request.response().end(price));
            } else {
                var unused = request.response().end(desk.price());
            }
        });
        server.listen(0, "localhost").toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        stage.clients(4 * CLIENTS, server.actualPort(), "/price");
    }

    private static void undertow(Stage stage, boolean offloaded) {
        UndertowShop shop = new UndertowShop(HttpService.start(64), offloaded);
        Undertow server = stage.keep(Undertow.builder()
                .addHttpListener(0, "localhost")
                .setWorkerThreads(CLIENTS + 8) // by default 16 on two CPUs, for which 32 clients would wait
                .setHandler(shop)
                .build());
        server.start();
        InetSocketAddress address =
                (InetSocketAddress) server.getListenerInfo().get(0).getAddress();
        stage.clients(CLIENTS, address.getPort(), "/price");
    }

    private static void pekko(Stage stage, boolean offloaded) throws Exception {
        ActorSystem system = stage.keep(ActorSystem.create("shop"));
        PekkoShop shop = new PekkoShop(HttpService.start(64));
        ExecutorService calls = stage.keep(InstrumentedExecutors.newFixedThreadPool("calls", CLIENTS));
        Http http = Http.get(system);
        Function<HttpRequest, CompletionStage<HttpResponse>> handler =
                request -> CompletableFuture.supplyAsync(shop::answer, calls);
        CompletionStage<ServerBinding> binding = offloaded
                ? http.newServerAt("localhost", 0).bind(handler)
                : http.newServerAt("localhost", 0).bindSync(request -> shop.answer());
        int port = binding.toCompletableFuture()
                .get(10, TimeUnit.SECONDS)
                .localAddress()
                .getPort();
        stage.clients(CLIENTS, port, "/price");
    }

    /** The configuration of WebFlux. */
    @Configuration
    @EnableWebFlux
    static class WebFlux {
        @Bean
        String nothingElse() {
            return "";
        }
    }

    /** A controller of WebFlux. */
    @RestController
    static class Prices {
        private final HttpService service;
        private final boolean offloaded;

        Prices(HttpService service, boolean offloaded) {
            this.service = service;
            this.offloaded = offloaded;
        }

        @GetMapping("/price")
        Mono<String> get() {
            return offloaded
                    ? Mono.fromCallable(this::price).subscribeOn(Schedulers.boundedElastic())
                    : Mono.just(price());
        }

        private String price() {
            try (InputStream answer = service.url(MILLIS).openStream()) {
                return new String(answer.readAllBytes(), StandardCharsets.US_ASCII);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Handlers of Vert.x. */
    private static final class VertxShop {
        private final HttpService service;

        VertxShop(HttpService service) {
            this.service = service;
        }

        void answer(HttpServerRequest request) {
            try {
                var unused = request.response().end(price());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        String price() throws IOException {
            try (InputStream answer = service.url(MILLIS).openStream()) {
                return new String(answer.readAllBytes(), StandardCharsets.US_ASCII);
            }
        }
    }

    /** A handler of Vert.x that computes for some milliseconds. */
    private static final class VertxDesk {
        private static final double MICROS = 4_000;

        String price() {
            return Long.toString(Hashing.micros(MICROS));
        }
    }

    /** A handler of Undertow. */
    private static final class UndertowShop implements HttpHandler {
        private final HttpService service;
        private final boolean offloaded;

        UndertowShop(HttpService service, boolean offloaded) {
            this.service = service;
            this.offloaded = offloaded;
        }

        @Override
        public void handleRequest(HttpServerExchange exchange) throws IOException {
            if (offloaded && exchange.isInIoThread()) {
                exchange.dispatch(this);
                return;
            }
            exchange.getResponseSender().send(price());
        }

        private String price() throws IOException {
            try (InputStream answer = service.url(MILLIS).openStream()) {
                return new String(answer.readAllBytes(), StandardCharsets.US_ASCII);
            }
        }
    }

    /** A handler of Pekko HTTP. */
    private static final class PekkoShop {
        private final HttpService service;

        PekkoShop(HttpService service) {
            this.service = service;
        }

        HttpResponse answer() {
            return HttpResponse.create().withEntity(price());
        }

        private String price() {
            try (InputStream answer = service.url(MILLIS).openStream()) {
                return new String(answer.readAllBytes(), StandardCharsets.US_ASCII);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
