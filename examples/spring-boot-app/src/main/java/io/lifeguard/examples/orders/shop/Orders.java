package io.lifeguard.examples.orders.shop;

import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads and writes the orders in the database. Thread-safe. */
@Component
class Orders {

    private static final String COLUMNS = "SELECT id, request, item, quantity, confirmed FROM orders WHERE ";

    private final JdbcClient database;

    Orders(JdbcClient database) {
        this.database = database;
    }

    /** Stores an order once, because the customer's number is unique. */
    Order enter(NewOrder order) {
        try {
            database.sql("INSERT INTO orders (request, item, quantity) VALUES (?, ?, ?)")
                    .params(order.request(), order.item(), order.quantity())
                    .update();
        } catch (DuplicateKeyException e) {
            return find("request = ?", order.request()).orElseThrow(() -> e);
        }
        return find("request = ?", order.request()).orElseThrow();
    }

    Optional<Order> find(long id) {
        return find("id = ?", id);
    }

    private Optional<Order> find(String condition, Object value) {
        return database.sql(COLUMNS + condition).param(value).query(Order.class).optional();
    }

    void confirm(long id) {
        database.sql("UPDATE orders SET confirmed = TRUE WHERE id = ?")
                .param(id)
                .update();
    }

    long unconfirmed() {
        return database.sql("SELECT COUNT(*) FROM orders WHERE NOT confirmed")
                .query(Long.class)
                .single();
    }
}
