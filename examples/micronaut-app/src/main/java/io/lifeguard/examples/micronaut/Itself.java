package io.lifeguard.examples.micronaut;

import io.micronaut.http.annotation.Get;
import io.micronaut.http.client.annotation.Client;

/** This application, as its client sees it. */
@Client("itself")
interface Itself {

    /** {@return the stock} */
    @Get("/stock")
    String stock();
}
