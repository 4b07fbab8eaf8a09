package io.lifeguard.examples.orders.shop;

import io.lifeguard.examples.orders.warehouse.Warehouse;
import java.util.concurrent.Callable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Takes orders over HTTP. Thread-safe. */
@RestController
@RequestMapping("/orders")
class OrderController {

    private static final double STOCK_MILLIS = 10;

    private final Orders orders;
    private final Confirmations confirmations;
    private final Warehouse warehouse;

    OrderController(Orders orders, Confirmations confirmations, Warehouse warehouse) {
        this.orders = orders;
        this.confirmations = confirmations;
        this.warehouse = warehouse;
    }

    /** Asks the warehouse, stores the order and answers. The mail is sent later. */
    @PostMapping
    ResponseEntity<Order> place(@RequestBody NewOrder wanted) {
        warehouse.call(STOCK_MILLIS);
        Order order = orders.enter(wanted);
        if (!order.confirmed()) {
            confirmations.send(order);
        }
        return ResponseEntity.status(HttpStatus.CREATED).body(order);
    }

    @GetMapping("/{id}")
    ResponseEntity<Order> find(@PathVariable long id) {
        return ResponseEntity.of(orders.find(id));
    }

    /** Returns the delivery time. Spring MVC runs this on Spring Boot's pool and not on the thread of the request. */
    @GetMapping("/{id}/delivery")
    Callable<Delivery> delivery(@PathVariable long id) {
        return () -> {
            warehouse.call(STOCK_MILLIS);
            return new Delivery(id, 1 + (int) (id % 3), Thread.currentThread().getName());
        };
    }

    /**
     * The delivery time of an order.
     *
     * @param days the number of days
     * @param calculatedBy the thread that calculated it
     */
    record Delivery(long order, int days, String calculatedBy) {}
}
