package io.lifeguard.examples.micronaut;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The requests of the application. Each is healthy for few clients, and sick for many, or with a wrong setting. */
@Controller
class Shop {

    private static final Object CATALOGUE = new Object();

    private final DataSource orders;
    private final Warehouse warehouse;
    private final Itself itself;

    /** Made by the container. */
    Shop(DataSource orders, Warehouse warehouse, Itself itself) {
        this.warehouse = warehouse;
        this.orders = orders;
        this.itself = itself;
    }

    /** Blocks the event loop. */
    @Get("/greeting")
    String greeting() {
        Work.pause(300);
        return "hello";
    }

    /** Waits for another system. */
    @Get("/stock")
    @ExecuteOn(TaskExecutors.IO)
    String stock() throws IOException {
        return warehouse.ask();
    }

    /** Works with a connection. */
    @Get("/orders")
    @ExecuteOn(TaskExecutors.IO)
    String orders() throws SQLException, IOException {
        try (Connection connection = orders.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select 1")) {
            result.next();
            return result.getString(1) + warehouse.ask();
        }
    }

    /** Works under a lock. */
    @Get("/catalogue")
    @ExecuteOn(TaskExecutors.IO)
    String catalogue() {
        synchronized (CATALOGUE) {
            Work.pause(50);
            return "books";
        }
    }

    /** Computes. */
    @Get("/price")
    @ExecuteOn(TaskExecutors.IO)
    String price() {
        return Work.compute();
    }

    /** Calls this application, and holds its own worker meanwhile. */
    @Get("/basket")
    @ExecuteOn(TaskExecutors.IO)
    String basket() {
        return itself.stock();
    }
}
