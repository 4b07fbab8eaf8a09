package io.lifeguard.examples.jakarta;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** The requests of the application. Each is healthy for few clients, and sick for many. Thread-safe. */
@WebServlet("/*")
public class Shop extends HttpServlet {

    private static final long serialVersionUID = 1;
    private static final Object CATALOGUE = new Object();

    @Resource
    private transient ManagedExecutorService executor;

    @Resource
    private transient DataSource orders;

    /** Made by the server, which also fills in the resources. */
    @SuppressWarnings("NullAway.Init")
    public Shop() {}

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        try {
            String answer = switch (request.getPathInfo()) {
                case "/catalogue" -> managed(Shop::catalogue);
                case "/stock" -> managed(Warehouse::ask);
                case "/basket" -> managed(this::basket);
                case "/orders" -> orders();
                case "/greeting" -> catalogue();
                default -> "welcome";
            };
            response.getOutputStream().print(answer);
        } catch (SQLException | ExecutionException e) {
            throw new ServletException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Has the managed executor do it, and waits. */
    private String managed(Callable<String> work) throws InterruptedException, ExecutionException {
        return executor.submit(work).get();
    }

    /** Works under a lock. */
    private static String catalogue() throws InterruptedException {
        synchronized (CATALOGUE) {
            TimeUnit.MILLISECONDS.sleep(50);
            return "books";
        }
    }

    /** Waits for a task of the executor that it runs on. */
    private String basket() throws InterruptedException, ExecutionException {
        return executor.submit(Warehouse::ask).get();
    }

    /** Works with a connection. */
    private String orders() throws SQLException, IOException {
        try (Connection connection = orders.getConnection()) {
            return connection.getCatalog() + Warehouse.ask();
        }
    }
}
