package io.lifeguard.examples.orders.shop;

/**
 * What a customer asks for.
 *
 * @param request the customer's own number of it: whoever asks again with the same one gets the same order
 * @param item what
 * @param quantity how many
 */
public record NewOrder(String request, String item, int quantity) {}
