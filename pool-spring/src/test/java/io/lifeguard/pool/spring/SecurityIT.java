package io.lifeguard.pool.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** The endpoint behind Spring Security, on the application's port and on the management's. */
class SecurityIT {

    private static final String SAME_PORT = "server.port=0";
    private static final String OWN_PORT = "management.server.port=0";

    private static WebApplication start(Class<?> application, String... more) {
        String[] properties = {
            "management.endpoints.web.exposure.include=*",
            "management.health.threadpools.enabled=true",
            "spring.security.user.name=ann",
            "spring.security.user.password=secret",
            "lifeguard.pools.locked.size=2"
        };
        String[] all = new String[properties.length + more.length];
        System.arraycopy(properties, 0, all, 0, properties.length);
        System.arraycopy(more, 0, all, properties.length, more.length);
        return WebApplication.startLocked(application, all);
    }

    @ParameterizedTest
    @ValueSource(strings = {SAME_PORT, OWN_PORT})
    void endpoint_bootsFilterChain_asksForCredentials(String port) throws Exception {
        try (WebApplication app = start(Application.class, port)) {
            for (String path : new String[] {
                "/threadpools",
                "/threadpools/locked",
                "/threadpools/locked/findings",
                "/threadpools/locked/threads",
                "/threadpoolreport",
                "/threadpoolreport/live",
                "/threadpoolreport/data",
                "/threadpoolreport/page.js"
            }) {
                assertThat(app.manage(path).statusCode()).as(path).isEqualTo(401);
                assertThat(app.manage(path).body()).as(path).doesNotContain("locked");
                assertThat(app.as("ann", "guessed").manage(path).statusCode())
                        .as(path)
                        .isEqualTo(401);
                assertThat(app.as("ann", "secret").manage(path).statusCode())
                        .as(path)
                        .isEqualTo(200);
            }
            assertThat(app.as("ann", "secret").manage("/threadpools").body())
                    .contains("\"name\":\"locked\",\"kind\":\"instrumented\"");
            assertThat(app.manage("/health").statusCode()).isEqualTo(200);
        }
    }

    /** Boot's own chain wants a CSRF token for each change, and clients have none. */
    @Test
    void resize_bootsFilterChain_isRefusedDespiteUnrestrictedAccess() throws Exception {
        try (WebApplication app = start(Application.class, "management.endpoint.threadpools.access=unrestricted")) {
            assertThat(app.as("ann", "secret")
                            .post("/threadpools/locked", "{\"size\":3}")
                            .statusCode())
                    .isIn(401, 403); // on the application's port the page for errors is locked too
            assertThat(size(app)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {SAME_PORT, OWN_PORT})
    void resize_usersFilterChain_needsRoleAndAccess(String port) throws Exception {
        try (WebApplication app = start(WithRoles.class, port)) {
            assertThat(app.as("oscar", "secret")
                            .post("/threadpools/locked", "{\"size\":3}")
                            .statusCode())
                    .isEqualTo(405); // read-only until the application says otherwise
            assertThat(size(app)).isEqualTo(2);
        }
        try (WebApplication app = start(WithRoles.class, port, "management.endpoint.threadpools.access=unrestricted")) {
            assertThat(app.post("/threadpools/locked", "{\"size\":3}").statusCode())
                    .isEqualTo(401);
            assertThat(app.as("vera", "secret").manage("/threadpools/locked").statusCode())
                    .isEqualTo(200);
            assertThat(app.as("vera", "secret")
                            .post("/threadpools/locked", "{\"size\":3}")
                            .statusCode())
                    .isEqualTo(403);
            assertThat(size(app)).isEqualTo(2);
            assertThat(app.as("oscar", "secret")
                            .post("/threadpools/locked", "{\"size\":3}")
                            .body())
                    .contains("\"sizeBefore\":2,\"size\":3");
            assertThat(size(app)).isEqualTo(3);
        }
    }

    private static int size(WebApplication app) {
        return app.context
                .getBean("locked", InstrumentedThreadPoolExecutor.class)
                .getMaximumPoolSize();
    }

    /** Boot's own encoder takes a tenth of a second of CPU to compare a password, by design. */
    @Configuration(proxyBeanMethods = false)
    static class Passwords {
        @Bean
        PasswordEncoder plain() {
            return new PasswordEncoder() {
                @Override
                public String encode(CharSequence password) {
                    return password.toString();
                }

                @Override
                public boolean matches(CharSequence password, String encoded) {
                    return encoded.contentEquals(password);
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Passwords.class)
    static class Application {}

    /** The user Vera may look, the user Oscar may resize. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Passwords.class)
    static class WithRoles {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers(
                                    request -> request.getMethod().equals("POST"))
                            .hasRole("OPERATOR")
                            .anyRequest()
                            .authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("vera").password("secret").roles("VIEWER").build(),
                    User.withUsername("oscar")
                            .password("secret")
                            .roles("OPERATOR")
                            .build());
        }
    }
}
