package io.lifeguard.examples.quarkus;

import io.smallrye.common.annotation.Blocking;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.eclipse.microprofile.context.ManagedExecutor;
import org.eclipse.microprofile.rest.client.inject.RestClient;

/** The requests of the application. Each is healthy for few clients, and sick for many, or with a wrong setting. */
@Path("/")
@Blocking
public class Shop {

    private static final Object CATALOGUE = new Object();

    private final DataSource orders;
    private final DataSource billing;
    private final Warehouse warehouse;
    private final Itself itself;
    private final ManagedExecutor background;

    /** Made by the container. */
    @Inject
    Shop(
            DataSource orders,
            @io.quarkus.agroal.DataSource("billing") DataSource billing,
            Warehouse warehouse,
            @RestClient Itself itself,
            ManagedExecutor background) {
        this.warehouse = warehouse;
        this.orders = orders;
        this.billing = billing;
        this.itself = itself;
        this.background = background;
    }

    /** Blocks the event loop. */
    @GET
    @Path("/greeting")
    @NonBlocking
    public String greeting() {
        Work.pause(300);
        return "hello";
    }

    /** Waits for another system. */
    @GET
    @Path("/stock")
    public String stock() throws IOException {
        return warehouse.ask();
    }

    /** Works with a connection. */
    @GET
    @Path("/orders")
    public String orders() throws SQLException, IOException {
        try (Connection connection = orders.getConnection()) {
            return query(connection);
        }
    }

    /** The same with a named data source. */
    @GET
    @Path("/bills")
    public String bills() throws SQLException, IOException {
        try (Connection connection = billing.getConnection()) {
            return query(connection);
        }
    }

    private String query(Connection connection) throws SQLException, IOException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select 1")) {
            result.next();
            return result.getString(1) + warehouse.ask();
        }
    }

    /** Works under a lock. */
    @GET
    @Path("/catalogue")
    public String catalogue() {
        synchronized (CATALOGUE) {
            Work.pause(50);
            return "books";
        }
    }

    /** Computes. */
    @GET
    @Path("/price")
    public String price() {
        return Work.compute();
    }

    /** Calls this application, and holds its own worker meanwhile. */
    @GET
    @Path("/basket")
    public String basket() {
        return itself.stock();
    }

    /** Takes longer than an application may take to end. */
    @GET
    @Path("/export")
    public String export() {
        Work.pause(30_000);
        return "done";
    }

    /** The same in the background. */
    @GET
    @Path("/mail")
    public String mail() {
        background.execute(() -> Work.pause(30_000));
        return "sent";
    }
}
