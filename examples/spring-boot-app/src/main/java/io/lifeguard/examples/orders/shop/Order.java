package io.lifeguard.examples.orders.shop;

/**
 * An order in the database.
 *
 * @param id the shop's number for the order
 * @param request the customer's number for the order
 * @param item the item
 * @param quantity the number of items
 * @param confirmed whether the mail to the customer was sent
 */
public record Order(long id, String request, String item, int quantity, boolean confirmed) {}
