package io.lifeguard.pool.spring;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;

/** A web application on a free port, and a client of it. */
final class WebApplication implements AutoCloseable {

    final ConfigurableApplicationContext context;
    private final HttpClient client = HttpClient.newHttpClient();

    private final String authorization; // empty without a user

    private WebApplication(ConfigurableApplicationContext context, String authorization) {
        this.context = context;
        this.authorization = authorization;
    }

    /** On Tomcat, without security. Jetty is hidden, because Boot 4 does not choose between the two. */
    static WebApplication start(Class<?> application, String... properties) {
        return startWithout(List.of("org.eclipse.jetty", "org.springframework.security"), application, properties);
    }

    /** On Tomcat, with Spring Security. */
    static WebApplication startLocked(Class<?> application, String... properties) {
        return startWithout(List.of("org.eclipse.jetty"), application, properties);
    }

    /** Hides some packages from the application. */
    static WebApplication startWithout(List<String> packages, Class<?> application, String... properties) {
        FilteredClassLoader loader = new FilteredClassLoader(packages.toArray(String[]::new));
        List<String> all = new ArrayList<>(List.of(
                "server.port=0",
                "server.address=127.0.0.1",
                "server.tomcat.basedir=target/tomcat", // otherwise Tomcat leaves a directory in the system's
                "spring.main.banner-mode=off",
                "spring.jmx.enabled=false",
                "spring.application.name=web"));
        all.addAll(List.of(properties));
        return new WebApplication(
                new SpringApplicationBuilder(application)
                        .resourceLoader(new DefaultResourceLoader(loader))
                        .web(WebApplicationType.SERVLET)
                        .properties(all.toArray(String[]::new))
                        .run(),
                "");
    }

    /** The same application, with a client that sends credentials. */
    WebApplication as(String user, String password) {
        String credentials = Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
        return new WebApplication(context, "Basic " + credentials);
    }

    int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    int managementPort() {
        return context.getEnvironment().getProperty("local.management.port", Integer.class, port());
    }

    HttpResponse<String> get(String path) throws Exception {
        return send(port(), HttpRequest.newBuilder(), path);
    }

    HttpResponse<String> manage(String path) throws Exception {
        return send(managementPort(), HttpRequest.newBuilder(), "/actuator" + path);
    }

    /** Any path on the management's port. */
    HttpResponse<String> getManagement(String path) throws Exception {
        return send(managementPort(), HttpRequest.newBuilder(), path);
    }

    HttpResponse<String> post(String path, String json) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder()
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json));
        return send(managementPort(), request, "/actuator" + path);
    }

    private HttpResponse<String> send(int port, HttpRequest.Builder request, String path) throws Exception {
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        return client.send(request.uri(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    void restart() {
        context.stop();
        context.start();
    }

    @Override
    public void close() {
        context.close();
    }
}
