package io.lifeguard.examples.orders.shop;

/**
 * An order as it stands.
 *
 * @param id our number of it
 * @param request the customer's
 * @param item what
 * @param quantity how many
 * @param confirmed whether the customer was sent a mail
 */
public record Order(long id, String request, String item, int quantity, boolean confirmed) {}
