package io.lifeguard.pool.diagnosis.evidence.stack;

import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.Awaited.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A library that lends a limited number of things, such as connections, and lets threads wait for them.
 *
 * <p>The frames of the classes that lend are recognised on the stacks of waiting threads. Classes of the same library
 * that wrap a connection or a statement are not among them: such a thread has got its connection. The beans tell how
 * many things there are, where the library has registered any.
 */
@SuppressWarnings("ImmutableEnumChecker") // all lists are made by List.of
public enum LimitedResource {
    HIKARI(
            "HikariCP",
            List.of("com.zaxxer.hikari.pool.HikariPool.", "com.zaxxer.hikari.util.ConcurrentBag."),
            List.of("com.zaxxer.hikari:type=Pool (*)", "com.zaxxer.hikari:type=Pool,name=*"),
            List.of("MaximumPoolSize"), // of another bean, see ResourceNames
            List.of("ActiveConnections"),
            List.of("ThreadsAwaitingConnection")),
    COMMONS_POOL(
            "commons-pool",
            List.of("org.apache.commons.pool2.impl.", "org.apache.commons.pool.impl."),
            List.of("org.apache.commons.pool2:*"),
            List.of("MaxTotal"),
            List.of("NumActive"),
            List.of("NumWaiters")),
    TOMCAT_JDBC(
            "Tomcat JDBC",
            List.of(
                    "org.apache.tomcat.jdbc.pool.ConnectionPool.",
                    "org.apache.tomcat.jdbc.pool.FairBlockingQueue",
                    "org.apache.tomcat.jdbc.pool.MultiLockFairBlockingQueue"),
            List.of("tomcat.jdbc:*", "*:type=ConnectionPool,*"),
            List.of("MaxActive"),
            List.of("NumActive", "Active"),
            List.of("WaitCount")),
    C3P0(
            "c3p0",
            List.of("com.mchange.v2.resourcepool.", "com.mchange.v2.c3p0.impl.C3P0PooledConnectionPool."),
            List.of("com.mchange.v2.c3p0:type=PooledDataSource,*"),
            List.of("maxPoolSize"),
            List.of("numBusyConnectionsDefaultUser"),
            List.of("numThreadsAwaitingCheckoutDefaultUser")),
    DRUID("Druid", "com.alibaba.druid.pool.DruidDataSource."),
    AGROAL("Agroal", "io.agroal.pool.ConnectionPool.", "io.agroal.pool.Poolless.", "io.agroal.pool.util."),
    VIBUR("Vibur", "org.vibur.objectpool.", "org.vibur.dbcp.pool."),
    ORACLE("Oracle UCP", "oracle.ucp.common.", "oracle.ucp.jdbc.PoolDataSource", "oracle.ucp.jdbc.JDBCConnectionPool."),
    HTTP_CLIENT_4(
            "HttpClient 4", "org.apache.http.pool.", "org.apache.http.impl.conn.PoolingHttpClientConnectionManager"),
    HTTP_CLIENT_5(
            "HttpClient 5",
            "org.apache.hc.core5.pool.",
            "org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager"),
    MONGO(
            "MongoDB",
            "com.mongodb.internal.connection.ConcurrentPool.",
            "com.mongodb.internal.connection.DefaultConnectionPool"),
    /** Of WildFly. */
    IRONJACAMAR("IronJacamar (max-pool-size)", "org.jboss.jca.core.connectionmanager.pool.mcp."),
    /** Of Payara, too. */
    GLASSFISH("GlassFish (max-pool-size)", "com.sun.enterprise.resource.pool."),
    H2_ROWS("H2", "org.h2.mvstore.tx.Transaction.waitFor") {
        @Override
        public String description() {
            return Line.lockedBy(library);
        }
    },
    HSQLDB_ROWS("HSQLDB", "org.hsqldb.lib.CountUpDownLatch.") {
        @Override
        public String description() {
            return Line.lockedBy(library);
        }
    },
    DERBY_ROWS("Derby", "org.apache.derby.impl.services.locks.") {
        @Override
        public String description() {
            return Line.lockedBy(library);
        }
    };

    private static final LimitedResource[] ALL = values();

    /** Frames of other code that may lie between the wait and the library's own frames. */
    private static final int MOST_FRAMES = 24;

    /** A wait is at most two helper methods away from the method that lends. */
    private static final int MOST_OWN_FRAMES = 3;

    private static final List<String> LIMITS_RATE =
            List.of("limiter", "ratelimit", "throttl", "tokenbucket", "bucket4j");

    public final String library;
    private final List<String> frames;
    final List<String> beans;
    final List<String> capacity;
    final List<String> inUse;
    final List<String> waiting;

    LimitedResource(
            String library,
            List<String> frames,
            List<String> beans,
            List<String> capacity,
            List<String> inUse,
            List<String> waiting) {
        this.library = library;
        this.frames = frames;
        this.beans = beans;
        this.capacity = capacity;
        this.inUse = inUse;
        this.waiting = waiting;
    }

    LimitedResource(String library, String... frames) {
        this(library, List.of(frames), List.of(), List.of(), List.of(), List.of());
    }

    /**
     * The class of a pool of another library, or of the user's, in which a thread waits until something is given back,
     * as far as names tell: the class is called a pool of things other than threads, or a bulkhead, or the method
     * borrows, leases or acquires something.
     */
    public static Optional<String> byName(List<StackTraceElement> stack) {
        for (StackTraceElement frame : own(stack)) {
            String type = frame.getClassName().substring(frame.getClassName().lastIndexOf('.') + 1);
            if ((Words.LENDER.matcher(type).find()
                            && !Words.OF_THREADS.matcher(type).find())
                    || Words.ACQUIRES.matcher(frame.getMethodName()).lookingAt()
                    || Words.CONNECTS.matcher(frame.getMethodName()).lookingAt()) {
                return Optional.of(frame.getClassName());
            }
        }
        return Optional.empty();
    }

    private static List<StackTraceElement> own(List<StackTraceElement> stack) {
        List<StackTraceElement> own = new ArrayList<>(MOST_OWN_FRAMES);
        for (int i = 0; i < stack.size() && own.size() < MOST_OWN_FRAMES; i++) {
            if (!UserFrames.isJdk(stack.get(i))) {
                own.add(stack.get(i));
            }
        }
        return own;
    }

    /**
     * Whether the method that waits for a future or a latch acquires something, as far as its name tells. Then what
     * completes the future is a thread that gives something back, and no task.
     */
    static boolean isAcquired(List<StackTraceElement> stack) {
        for (StackTraceElement frame : stack) {
            if (!UserFrames.isJdk(frame) && !Waits.inLibrary(frame)) {
                return Words.ACQUIRES.matcher(frame.getMethodName()).lookingAt();
            }
        }
        return false;
    }

    /** The class of the rate limiter for which a thread sleeps, as far as names tell. */
    public static Optional<String> rateLimiter(List<StackTraceElement> stack) {
        Optional<String> limiter = Optional.empty();
        for (StackTraceElement frame : own(stack)) {
            int nested = frame.getClassName().indexOf('$');
            String type =
                    nested < 0 ? frame.getClassName() : frame.getClassName().substring(0, nested);
            String lower = type.toLowerCase(Locale.ROOT);
            for (String part : LIMITS_RATE) {
                limiter = lower.contains(part) ? Optional.of(type) : limiter;
            }
        }
        return limiter;
    }

    /** The text that findings use while no bean tells the name. */
    public String description() {
        return "a connection pool of " + library;
    }

    /** The name of one whose bean has this title. The default titles of these are a token and "pool". */
    String called(String title) {
        return this == C3P0 || this == COMMONS_POOL ? title + " (" + library + ')' : title;
    }

    /** The resource that a waiting thread waits for, by the frames above. */
    public static Optional<LimitedResource> of(List<StackTraceElement> stack) {
        for (StackTraceElement frame : stack.subList(0, Math.min(MOST_FRAMES, stack.size()))) {
            String call = frame.getClassName() + '.' + frame.getMethodName();
            for (LimitedResource each : ALL) {
                if (Waits.startsWithAny(call, each.frames)) {
                    return Optional.of(each);
                }
            }
        }
        return Optional.empty();
    }

    /** Apart, so that a pool without such a wait does not load them. */
    private static final class Words {
        static final Pattern LENDER = Pattern.compile("(Pool|Bulkhead)(Impl)?(\\$|$)");
        static final Pattern OF_THREADS = Pattern.compile("Thread|Worker|Task|Job|Executor|ForkJoin");
        static final Pattern ACQUIRES = Pattern.compile("(try)?(?i:borrow|lease|checkout|acquire)(?![a-z])");
        static final Pattern CONNECTS = Pattern.compile("(getConnection|obtainConnection)(?![a-z])");
    }
}
