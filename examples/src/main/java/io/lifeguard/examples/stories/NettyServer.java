package io.lifeguard.examples.stories;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A Netty server on the loopback interface, with two event loops. It does some work for each byte and sends it back.
 * Thread-safe.
 */
final class NettyServer implements AutoCloseable {

    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final int LOOPS = 2;

    private final EventLoopGroup loops;
    private final InetSocketAddress address;

    private NettyServer(EventLoopGroup loops, InetSocketAddress address) {
        this.loops = loops;
        this.address = address;
    }

    /** Starts the server on a free port. The executor does the work of each request. */
    static NettyServer start(Executor executor, Runnable work) throws IOException, InterruptedException {
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(LOOPS, NioIoHandler.newFactory());
        Channel channel = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel connection) {
                        connection.pipeline().addLast(new Handler(executor, work));
                    }
                })
                .bind(InetAddress.getByAddress(LOOPBACK), 0)
                .sync()
                .channel();
        return new NettyServer(loops, (InetSocketAddress) channel.localAddress());
    }

    /** Lets clients send one request after the other, and returns the number of answers per second. */
    double answersPerSecond(int clients, Duration length) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(clients, body -> {
            Thread thread = new Thread(body, "client");
            thread.setDaemon(true);
            return thread;
        });
        long start = System.nanoTime();
        Callable<Integer> client = () -> askUntil(start + length.toNanos());
        try {
            List<Future<Integer>> all = threads.invokeAll(Collections.nCopies(clients, client));
            int answers = 0;
            for (Future<Integer> each : all) {
                answers += each.get();
            }
            return answers / ((System.nanoTime() - start) / 1e9);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a client failed: " + e.getCause(), e);
        } finally {
            threads.shutdownNow();
        }
    }

    private int askUntil(long end) throws IOException {
        int answers = 0;
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            socket.setTcpNoDelay(true);
            do {
                socket.getOutputStream().write('?');
                if (socket.getInputStream().read() < 0) {
                    throw new IOException("the server has hung up");
                }
                answers++;
            } while (System.nanoTime() - end < 0);
        }
        return answers;
    }

    @Override
    public void close() {
        loops.shutdownGracefully(200, 2_000, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }

    private static final class Handler extends ChannelInboundHandlerAdapter {
        private final Executor executor;
        private final Runnable work;

        Handler(Executor executor, Runnable work) {
            this.executor = executor;
            this.work = work;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object question) {
            executor.execute(() -> {
                work.run();
                if (context.channel().isActive()) {
                    context.writeAndFlush(question).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
                }
            });
        }
    }
}
