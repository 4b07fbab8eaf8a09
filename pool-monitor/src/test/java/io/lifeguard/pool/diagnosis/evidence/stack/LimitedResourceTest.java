package io.lifeguard.pool.diagnosis.evidence.stack;

import static io.lifeguard.pool.diagnosis.evidence.stack.StacksTest.stack;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.Doing;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stacks and beans of connection pools. */
class LimitedResourceTest {

    private static final String PARK = "jdk.internal.misc.Unsafe.park! java.util.concurrent.locks.LockSupport.park ";

    private static final String CONDITION =
            PARK + "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await ";

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final List<ObjectName> registered = new ArrayList<>();

    @AfterEach
    void unregister() throws Exception {
        for (ObjectName name : registered) {
            server.unregisterMBean(name);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "java.util.concurrent.SynchronousQueue.poll com.zaxxer.hikari.util.ConcurrentBag.borrow, HIKARI",
        "java.util.concurrent.CountDownLatch.await org.apache.tomcat.jdbc.pool.FairBlockingQueue.poll, TOMCAT_JDBC",
        "org.apache.commons.pool2.impl.LinkedBlockingDeque.takeFirst, COMMONS_POOL",
        "com.alibaba.druid.pool.DruidDataSource.takeLast, DRUID",
        "io.agroal.pool.util.AgroalSynchronizer.tryAcquireNanos io.agroal.pool.ConnectionPool.handlerFromSharedCache,"
                + " AGROAL",
        "oracle.ucp.common.UniversalConnectionPoolBase.borrowConnection"
                + " oracle.ucp.jdbc.PoolDataSourceImpl.getConnection, ORACLE",
        "org.vibur.objectpool.ConcurrentPool.take, VIBUR",
        "java.lang.Object.wait com.mchange.v2.resourcepool.BasicResourcePool.awaitAvailable, C3P0",
        "java.lang.Object.wait org.apache.hc.core5.concurrent.BasicFuture.get"
                + " org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager$3.get, HTTP_CLIENT_5",
        "org.jboss.jca.core.connectionmanager.pool.api.Semaphore.tryAcquire org.jboss.jca.core.connectionmanager.pool.mcp"
                + ".SemaphoreConcurrentLinkedDequeManagedConnectionPool.getConnection, IRONJACAMAR",
        "java.lang.Object.wait com.sun.enterprise.resource.pool.ConnectionPool.getResource, GLASSFISH",
        "java.lang.Object.wait org.h2.mvstore.tx.Transaction.waitForThisToEnd org.h2.mvstore.tx.Transaction.waitFor,"
                + " H2_ROWS",
        "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquireSharedInterruptibly"
                + " org.hsqldb.lib.CountUpDownLatch.await org.hsqldb.Session.executeCompiledStatement, HSQLDB_ROWS",
        "org.apache.derby.impl.services.locks.ActiveLock.waitForGrant"
                + " org.apache.derby.impl.services.locks.ConcurrentLockSet.lockObject, DERBY_ROWS",
    })
    void of_waitForAConnection_isALine(String frames, LimitedResource resource) {
        List<StackTraceElement> stack = stack(PARK + frames + " com.example.Orders.load");

        assertThat(LimitedResource.of(stack)).contains(resource);
        assertThat(Stacks.doing(Thread.State.WAITING, stack, "")).isEqualTo(Doing.WAITING_IN_LINE);
    }

    @ParameterizedTest
    @CsvSource({
        "java.lang.Thread.sleep com.google.common.util.concurrent.Uninterruptibles.sleepUninterruptibly"
                + " com.google.common.util.concurrent.RateLimiter$SleepingStopwatch$1.sleepMicrosUninterruptibly"
                + " com.google.common.util.concurrent.RateLimiter.acquire,"
                + " com.google.common.util.concurrent.RateLimiter",
        "java.lang.Thread.sleep com.example.Throttled.send, com.example.Throttled",
        "java.lang.Thread.sleep com.example.Retry.again,",
    })
    void rateLimiter_sleepInALimiter_isItsClass(String frames, String type) {
        assertThat(LimitedResource.rateLimiter(stack(frames + " com.example.Orders.load")))
                .isEqualTo(Optional.ofNullable(type));
    }

    @Test
    void emptyQueue_waitForAnElement_isTheQueuesClass() {
        assertThat(Waits.emptyQueue(stack(CONDITION + "java.util.concurrent.ArrayBlockingQueue.take com.example.A.b")))
                .contains("java.util.concurrent.ArrayBlockingQueue");
        assertThat(Waits.emptyQueue(stack(CONDITION + "java.util.concurrent.ArrayBlockingQueue.put com.example.A.b")))
                .isEmpty();
        assertThat(Waits.emptyQueue(stack(CONDITION + "com.example.A.b"))).isEmpty();
    }

    /** A place in a library does not tell users which of their lines is meant. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev.failsafe.internal.BulkheadImpl.tryAcquirePermit",
                "io.github.bucket4j.BlockingStrategy$1.park",
                "org.apache.derby.impl.services.locks.ActiveLock.waitForGrant",
                "org.ehcache.impl.internal.concurrent.ConcurrentHashMap.compute",
                "org.vibur.objectpool.ConcurrentPool.tryTake"
            })
    void place_waitInALibrary_isTheUsersOwn(String frame) {
        assertThat(UserFrames.place(stack(PARK + frame + " com.example.Orders.load")))
                .isEqualTo("com.example.Orders.load(Orders.java:1)");
    }

    /** Many semaphores and pools give each waiting thread a future or a latch of its own. */
    @ParameterizedTest
    @CsvSource({
        "java.util.concurrent.CompletableFuture.get dev.failsafe.internal.BulkheadImpl.tryAcquirePermit,"
                + " WAITING_IN_LINE",
        "java.util.concurrent.CountDownLatch.await com.example.Sessions.borrow, WAITING_IN_LINE",
        "java.util.concurrent.CompletableFuture.join com.example.Prices.load com.example.Sessions.acquire,"
                + " WAITING_FOR_RESULT",
        "java.util.concurrent.FutureTask.get com.example.Sessions.acquire, WAITING_FOR_RESULT",
        "java.util.concurrent.CompletableFuture.get com.example.PricePool.priceAll, WAITING_FOR_RESULT",
        "java.util.concurrent.CompletableFuture.get com.example.Database.getConnection, WAITING_FOR_RESULT",
    })
    void doing_waitForAFutureInAMethodThatLends_isALine(String frames, Doing doing) {
        List<StackTraceElement> stack = stack(PARK + frames + " com.example.Orders.load");

        assertThat(Stacks.doing(Thread.State.WAITING, stack, "java.util.concurrent.CompletableFuture$Signaller"))
                .isEqualTo(doing);
    }

    /** Nobody can list all libraries, and users have pools of their own. */
    @ParameterizedTest
    @CsvSource({
        "com.example.ChannelPool.next, com.example.ChannelPool",
        "com.example.ConnectionPool$Waiters.await, com.example.ConnectionPool$Waiters",
        "com.example.Handles.await com.example.Handles.borrowHandle, com.example.Handles",
        "com.example.Sessions.acquire com.example.Orders.load, com.example.Sessions",
        "com.example.Sessions.tryAcquire com.example.Orders.load, com.example.Sessions",
    })
    void byName_waitInAPool_isItsClass(String frames, String type) {
        assertThat(LimitedResource.byName(stack(CONDITION + frames))).contains(type);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "com.example.MyThreadPool.nextTask com.example.MyThreadPool$Worker.run",
                "com.example.WorkerPool.take",
                "com.example.PoolReport.take",
                "com.example.Mailbox.take com.example.Consumer.run",
                "com.example.Orders.leased com.example.Orders.acquired",
            })
    void byName_waitForTasksOrMessages_isNone(String frames) {
        assertThat(LimitedResource.byName(stack(CONDITION + frames))).isEmpty();
    }

    /** A thread that runs a statement has its connection. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "com.example.Driver.execute org.apache.tomcat.jdbc.pool.StatementFacade$StatementProxy.invoke",
                "com.example.Driver.execute com.alibaba.druid.pool.DruidPooledPreparedStatement.executeQuery",
                "com.example.Driver.execute io.agroal.pool.wrapper.PreparedStatementWrapper.executeQuery",
                "com.example.Driver.execute oracle.ucp.jdbc.proxy.PreparedStatementProxyFactory.invoke",
                "com.example.Driver.execute org.vibur.dbcp.proxy.StatementInvocationHandler.invoke",
                "org.jboss.jca.core.connectionmanager.pool.idle.IdleRemover$IdleRemoverRunner.run", // idle itself
            })
    void of_waitOfAStatement_isNone(String frames) {
        assertThat(LimitedResource.of(stack(CONDITION + frames))).isEmpty();
    }

    @Test
    void of_otherWait_isNone() {
        assertThat(LimitedResource.of(stack(PARK + "java.util.concurrent.CountDownLatch.await com.example.A.b")))
                .isEmpty();
    }

    @Test
    void fromBeans_hikari_hasNameSizeAndUse() throws Exception {
        register("com.zaxxer.hikari:type=Pool (orders)", new Hikari(4, 9));
        register("com.zaxxer.hikari:type=PoolConfig (orders)", new Config(10));

        assertThat(ResourceNames.fromBeans(LimitedResource.HIKARI))
                .contains(new ResourceNames.Named("orders", OptionalInt.of(10), OptionalInt.of(4)));
    }

    /** All pools of commons-pool are called "pool", unless they are given a name. */
    @Test
    void fromBeans_commonsPool_saysTheLibrary() throws Exception {
        register("org.apache.commons.pool2:type=GenericObjectPool,name=pool", new Objects(4));

        assertThat(ResourceNames.fromBeans(LimitedResource.COMMONS_POOL))
                .contains(new ResourceNames.Named("pool (commons-pool)", OptionalInt.empty(), OptionalInt.of(4)));
    }

    @Test
    void fromBeans_twoPools_meansTheOneWithWaiters() throws Exception {
        register("com.zaxxer.hikari:type=Pool (calm)", new Hikari(1, 0));
        register("com.zaxxer.hikari:type=Pool (full)", new Hikari(10, 3));

        assertThat(ResourceNames.fromBeans(LimitedResource.HIKARI))
                .contains(new ResourceNames.Named("full", OptionalInt.empty(), OptionalInt.of(10)));
    }

    @Test
    void fromBeans_twoPoolsWithWaiters_cannotBeTold() throws Exception {
        register("com.zaxxer.hikari:type=Pool (one)", new Hikari(1, 1));
        register("com.zaxxer.hikari:type=Pool (other)", new Hikari(10, 3));

        assertThat(ResourceNames.fromBeans(LimitedResource.HIKARI)).isEmpty();
    }

    @Test
    void fromBeans_beanThatThrows_isLeftOut() throws Exception {
        register("com.zaxxer.hikari:type=Pool (odd)", new Hikari(-1, 1));
        register("com.zaxxer.hikari:type=Pool (fine)", new Hikari(3, 1));

        assertThat(ResourceNames.fromBeans(LimitedResource.HIKARI))
                .map(ResourceNames.Named::name)
                .contains("fine");
    }

    private void register(String name, Object bean) throws Exception {
        ObjectName objectName = new ObjectName(name);
        server.registerMBean(bean, objectName);
        registered.add(objectName);
    }

    public interface HikariMBean {
        int getActiveConnections();

        int getThreadsAwaitingConnection();
    }

    public record Hikari(int active, int awaiting) implements HikariMBean {
        @Override
        public int getActiveConnections() {
            if (active < 0) {
                throw new AssertionError("not today");
            }
            return active;
        }

        @Override
        public int getThreadsAwaitingConnection() {
            return awaiting;
        }
    }

    public interface ObjectsMBean {
        int getNumActive();
    }

    public record Objects(int numActive) implements ObjectsMBean {
        @Override
        public int getNumActive() {
            return numActive;
        }
    }

    public interface ConfigMBean {
        int getMaximumPoolSize();
    }

    public record Config(int most) implements ConfigMBean {
        @Override
        public int getMaximumPoolSize() {
            return most;
        }
    }
}
