/** What the pools do, as pictures: the last minute on one HTML page, and a page that grows. */
@SuppressWarnings("module") // the module that a hidden package is exported to is built after this one
module io.lifeguard.pool.report {
    requires java.management;
    requires org.slf4j;
    requires static transitive org.jspecify;
    requires transitive io.lifeguard.pool.monitor;

    exports io.lifeguard.pool.report;
    exports io.lifeguard.pool.report.drawing to
            io.lifeguard.pool.tools;
}
