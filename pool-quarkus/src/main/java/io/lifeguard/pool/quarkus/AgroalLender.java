package io.lifeguard.pool.quarkus;

import io.agroal.api.AgroalDataSource;
import io.lifeguard.pool.diagnosis.seen.Lender;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.quarkus.agroal.runtime.AgroalDataSourceUtil;
import io.quarkus.arc.Arc;
import io.quarkus.arc.InstanceHandle;
import io.quarkus.datasource.common.runtime.DataSourceUtil;
import io.quarkus.runtime.ShutdownContext;
import jakarta.enterprise.inject.Any;

/** The connections of a data source, as the monitor sees them. Thread-safe. */
final class AgroalLender implements Lender {

    private final String name;
    private final String setting;
    private final AgroalDataSource source;

    private AgroalLender(String name, AgroalDataSource source) {
        boolean isDefault = DataSourceUtil.isDefault(name);
        this.name = isDefault ? "default data source" : name;
        this.setting = "quarkus.datasource." + (isDefault ? "" : '"' + name + "\".") + "jdbc.max-size";
        this.source = source;
    }

    /** Tells the monitor of all active data sources of the application, until it ends. */
    static void addAll(ShutdownContext context) {
        // Without a qualifier there is the default data source only.
        for (InstanceHandle<AgroalDataSource> handle : Arc.container()
                .select(AgroalDataSource.class, Any.Literal.INSTANCE)
                .handles()) {
            if (handle.getBean().isActive()) {
                AgroalDataSource source = handle.get();
                source.getConfiguration().setMetricsEnabled(true); // otherwise it counts neither users nor waiters
                AgroalLender lender = new AgroalLender(AgroalDataSourceUtil.dataSourceName(handle.getBean()), source);
                Neighbours.add(lender);
                context.addShutdownTask(() -> Neighbours.remove(lender));
            }
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
