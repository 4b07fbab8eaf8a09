package io.lifeguard.examples.quarkus;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;

/** This application, as its client sees it. */
@Path("/")
@RegisterRestClient(configKey = "itself")
interface Itself {

    /** {@return the stock} */
    @GET
    @Path("/stock")
    String stock();
}
