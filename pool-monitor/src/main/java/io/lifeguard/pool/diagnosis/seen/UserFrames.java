package io.lifeguard.pool.diagnosis.seen;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the user's own frames on a stack. Stateless, but for the packages of the application. Thread-safe.
 *
 * <p>Frames of the JDK, of this library, and of well-known frameworks, drivers and servers are not the user's own. Of
 * the others, those of the application come first, where its packages are known.
 */
public final class UserFrames {

    /** The packages of this library whose frames are on the stacks of workers and submitters. */
    private static final Set<String> LIBRARY = Set.of(
            "io.lifeguard.pool",
            "io.lifeguard.pool.queue",
            "io.lifeguard.pool.measure",
            "io.lifeguard.pool.os",
            "io.lifeguard.pool.text");

    /**
     * Packages between the user's code and the JDK in most programs. Their frames are named only where there is no
     * better one.
     */
    private static final List<String> PLUMBING = List.of(
            "akka.",
            "brave.",
            "ch.qos.logback.",
            "com.alibaba.druid.",
            "com.amazonaws.",
            "com.clickhouse.",
            "com.couchbase.",
            "com.datastax.",
            "com.fasterxml.",
            "com.github.benmanes.caffeine.",
            "com.google.common.",
            "com.google.inject.",
            "com.hazelcast.",
            "com.ibm.db2.",
            "com.linecorp.armeria.",
            "com.lmax.disruptor.",
            "com.mchange.",
            "com.microsoft.sqlserver.",
            "com.mongodb.",
            "com.mysql.",
            "com.netflix.hystrix.",
            "com.rabbitmq.",
            "com.zaxxer.hikari.",
            "dev.failsafe.",
            "feign.",
            "groovy.",
            "io.agroal.",
            "io.dropwizard.metrics.",
            "io.github.bucket4j.",
            "io.github.resilience4j.",
            "io.grpc.",
            "io.helidon.",
            "io.lifeguard.pool.spring.web.",
            "io.lettuce.",
            "io.micrometer.",
            "io.micronaut.",
            "io.nats.",
            "io.netty.",
            "io.opentelemetry.",
            "io.quarkus.",
            "io.r2dbc.",
            "io.reactivex.",
            "io.smallrye.",
            "io.undertow.",
            "io.vertx.",
            "jakarta.",
            "kotlin.",
            "kotlinx.coroutines.",
            "net.bytebuddy.",
            "net.jodah.failsafe.",
            "net.sf.ehcache.",
            "net.sourceforge.jtds.",
            "net.spy.memcached.",
            "okhttp3.",
            "okio.",
            "oracle.jdbc.",
            "oracle.net.",
            "oracle.ucp.",
            "org.aopalliance.",
            "org.apache.activemq.",
            "org.apache.camel.",
            "org.apache.catalina.",
            "org.apache.commons.",
            "org.apache.coyote.",
            "org.apache.curator.",
            "org.apache.cxf.",
            "org.apache.derby.",
            "org.apache.hc.",
            "org.apache.http.",
            "org.apache.ibatis.",
            "org.apache.ignite.",
            "org.apache.kafka.",
            "org.apache.logging.",
            "org.apache.lucene.",
            "org.apache.mina.",
            "org.apache.naming.",
            "org.apache.pekko.",
            "org.apache.pulsar.",
            "org.apache.thrift.",
            "org.apache.tomcat.",
            "org.apache.zookeeper.",
            "org.aspectj.",
            "org.codehaus.groovy.",
            "org.eclipse.jetty.",
            "org.ehcache.",
            "org.elasticsearch.",
            "org.firebirdsql.",
            "org.glassfish.",
            "org.h2.",
            "org.hibernate.",
            "org.hsqldb.",
            "org.infinispan.",
            "org.jboss.",
            "org.jctools.",
            "org.jooq.",
            "org.mariadb.",
            "org.neo4j.driver.",
            "org.postgresql.",
            "org.quartz.",
            "org.reactivestreams.",
            "org.redisson.",
            "org.slf4j.",
            "org.springframework.",
            "org.sqlite.",
            "org.vibur.",
            "org.xnio.",
            "reactor.",
            "redis.clients.",
            "retrofit2.",
            "rx.",
            "scala.",
            "software.amazon.awssdk.");

    /**
     * What names of the application's classes begin with. A stale read names the frame of a library in place of the
     * application's.
     */
    private static volatile Set<String> applications = Set.of(); // written by the thread that starts one

    private UserFrames() {}

    /**
     * Says where classes of the application are, for as long as the JVM lives. All packages that begin with the same
     * two words belong to it: {@code com.example.shop} has neighbours such as {@code com.example.stock}.
     *
     * @param packages names of packages, not null
     */
    public static synchronized void addApplication(Collection<String> packages) {
        Set<String> all = new HashSet<>(applications);
        for (String each : packages) {
            String name = each + '.';
            all.add(name.substring(0, name.indexOf('.', name.indexOf('.') + 1) + 1));
        }
        applications = Set.copyOf(all);
    }

    /**
     * {@return whether a thread that runs gives its CPU away at the moment, as in a loop until something has changed}
     *
     * @param stack its stack, top first, not null
     */
    public static boolean yields(List<StackTraceElement> stack) {
        return !stack.isEmpty()
                && stack.get(0).getClassName().equals("java.lang.Thread")
                && (stack.get(0).getMethodName().equals("yield")
                        || stack.get(0).getMethodName().equals("yield0"));
    }

    /**
     * {@return the first frame that is the user's own, as {@code com.example.Orders.load(Orders.java:42)}; empty when
     * the stack is}
     *
     * <p>Without such a frame it is the first one of a framework, driver or server, and without that the top one.
     *
     * @param stack a stack, top first, not null
     */
    public static String place(List<StackTraceElement> stack) {
        Set<String> own = applications;
        StackTraceElement users = null;
        StackTraceElement plumbing = null;
        for (StackTraceElement frame : stack) {
            boolean isUsers = isUsers(frame);
            if (isUsers && (own.isEmpty() || beginsWithAny(frame.getClassName(), own))) {
                return text(frame);
            }
            users = users == null && isUsers ? frame : users;
            if (plumbing == null && !isJdk(frame) && !isLibrary(frame) && !isHidden(frame)) {
                plumbing = frame;
            }
        }
        StackTraceElement best = users == null ? plumbing : users;
        if (best != null) {
            return text(best);
        }
        return stack.isEmpty() ? "" : text(stack.get(0));
    }

    /**
     * {@return whether any frame is the user's own}
     *
     * @param stack a stack, not null
     */
    public static boolean hasUsersFrame(List<StackTraceElement> stack) {
        for (StackTraceElement frame : stack) {
            if (isUsers(frame)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isUsers(StackTraceElement frame) {
        return !isJdk(frame) && !isLibrary(frame) && !isHidden(frame) && !beginsWithAny(frame.getClassName(), PLUMBING);
    }

    /** {@return whether the name of a class begins with one of these texts} */
    public static boolean beginsWithAny(String type, Collection<String> beginnings) {
        for (String beginning : beginnings) {
            if (type.startsWith(beginning)) {
                return true;
            }
        }
        return false;
    }

    /**
     * {@return whether a class is of neither the JDK nor a well-known framework, driver or server, as far as its name
     * tells}
     *
     * @param className the name with its package, not null
     */
    public static boolean isUsers(String className) {
        return isUsers(new StackTraceElement(className, "", null, -1));
    }

    /**
     * {@return whether a {@linkplain #place place} is a framework's, because no frame of its stack is the user's own}
     */
    public static boolean isFramework(String place) {
        return beginsWithAny(place, PLUMBING);
    }

    /** The frame without class loader and module. */
    private static String text(StackTraceElement frame) {
        return new StackTraceElement(
                        frame.getClassName(), frame.getMethodName(), frame.getFileName(), frame.getLineNumber())
                .toString();
    }

    /**
     * {@return whether a frame is of a class of the JDK; also for frames of JDK 8, which has no modules}
     *
     * @param frame the frame, not null
     */
    public static boolean isJdk(StackTraceElement frame) {
        String module = frame.getModuleName();
        if (module != null && (module.startsWith("java.") || module.startsWith("jdk."))) {
            return true;
        }
        String name = frame.getClassName();
        return name.startsWith("java.")
                || name.startsWith("javax.")
                || name.startsWith("jdk.")
                || name.startsWith("sun.")
                || name.startsWith("com.sun.");
    }

    /**
     * The JVM shows its own frame between the caller of a lambda and the lambda, and frameworks generate classes, such
     * as {@code Stock$$QuarkusRestClientInterface} and Micronaut's {@code Stock$Intercepted}. They have no line.
     */
    private static boolean isHidden(StackTraceElement frame) {
        String name = frame.getClassName();
        return name.contains("$$Lambda")
                || (frame.getLineNumber() < 0
                        && (name.contains("$$") || name.endsWith("$Intercepted") || name.contains("$Definition")));
    }

    private static boolean isLibrary(StackTraceElement frame) {
        String name = frame.getClassName();
        return LIBRARY.contains(name.substring(0, Math.max(0, name.lastIndexOf('.'))));
    }
}
