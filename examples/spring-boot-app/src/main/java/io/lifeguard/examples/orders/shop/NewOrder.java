package io.lifeguard.examples.orders.shop;

/**
 * The order that a customer sends.
 *
 * @param request the customer's number for the order; the same number always gets the same order
 * @param item the item
 * @param quantity the number of items
 */
public record NewOrder(String request, String item, int quantity) {}
