package io.lifeguard.pool.quarkus;

import io.agroal.api.AgroalDataSource;
import io.lifeguard.pool.diagnosis.seen.Lender;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.quarkus.agroal.runtime.AgroalDataSourceUtil;
import io.quarkus.datasource.common.runtime.DataSourceUtil;
import io.quarkus.runtime.ShutdownContext;

/** The connections of a data source, as the monitor sees them. Thread-safe. */
final class AgroalLender implements Lender {

    private final String name;
    private final String setting;
    private final AgroalDataSource source;

    private AgroalLender(String name, AgroalDataSource source) {
        boolean isDefault = DataSourceUtil.isDefault(name);
        this.name = isDefault ? "default data source" : name;
        this.setting = isDefault
                ? "quarkus.datasource.jdbc.max-size"
                : "quarkus.datasource." + quoted(name) + ".jdbc.max-size";
        this.source = source;
    }

    private static String quoted(String name) {
        return name.indexOf('.') < 0 ? name : '"' + name + '"';
    }

    /** Tells the monitor of all active data sources of the application, until it ends. */
    static void addAll(ShutdownContext context) {
        for (String name : AgroalDataSourceUtil.activeDataSourceNames()) {
            AgroalDataSourceUtil.dataSourceIfActive(name).ifPresent(source -> {
                source.getConfiguration().setMetricsEnabled(true); // otherwise it counts neither users nor waiters
                AgroalLender lender = new AgroalLender(name, source);
                Neighbours.add(lender);
                context.addShutdownTask(() -> Neighbours.remove(lender));
            });
        }
    }

    @Override
    public String library() {
        return "Agroal";
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int capacity() {
        return Math.max(
                1, source.getConfiguration().connectionPoolConfiguration().maxSize());
    }

    @Override
    public int inUse() {
        return (int) source.getMetrics().activeCount();
    }

    @Override
    public int waiting() {
        return (int) source.getMetrics().awaitingCount();
    }

    @Override
    public String setting() {
        return setting;
    }
}
