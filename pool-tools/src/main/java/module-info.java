/** The command line program {@code lifeguard}, and its reader of thread dumps as a library. */
module io.lifeguard.pool.tools {
    requires com.fasterxml.jackson.core;
    requires info.picocli;
    requires java.management;
    requires jdk.jfr;
    requires static transitive org.jspecify;
    requires io.lifeguard.pool.report;
    requires transitive io.lifeguard.pool.monitor;

    exports io.lifeguard.pool.tools.dumps;

    opens io.lifeguard.pool.tools to
            info.picocli;
}
