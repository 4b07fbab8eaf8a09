package io.lifeguard.examples.orders.sickness;

import io.lifeguard.examples.orders.sickness.Sickness.Case;
import jakarta.annotation.PreDestroy;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Profile;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Makes the application sick or cures it, on an HTTP request. Thread-safe. */
@RestController
@RequestMapping("/sickness")
@Profile("clinic")
class SicknessController {

    private static final int NOT_IMPLEMENTED = 501;

    private final List<Sickness> all;

    SicknessController(List<Sickness> all) {
        this.all = all.stream().sorted(Comparator.comparing(Sickness::id)).toList();
    }

    @GetMapping
    List<Case> all() {
        return all.stream().map(Sickness::state).toList();
    }

    @PostMapping("/{id}")
    ResponseEntity<?> begin(@PathVariable String id) {
        Sickness sickness = named(id);
        if (sickness == null) {
            return ResponseEntity.notFound().build();
        }
        try {
            sickness.begin();
            return ResponseEntity.ok(sickness.state());
        } catch (UnsupportedOperationException e) {
            return ResponseEntity.status(NOT_IMPLEMENTED).body(new Excuse(String.valueOf(e.getMessage())));
        }
    }

    @DeleteMapping("/{id}")
    ResponseEntity<Case> end(@PathVariable String id) {
        Sickness sickness = named(id);
        if (sickness == null) {
            return ResponseEntity.notFound().build();
        }
        sickness.end();
        return ResponseEntity.ok(sickness.state());
    }

    /** Returns what the monitor saw of the pool lately. */
    @GetMapping("/{id}/chart")
    ResponseEntity<List<String>> chart(@PathVariable String id) {
        Sickness sickness = named(id);
        return sickness == null
                ? ResponseEntity.notFound().build()
                : ResponseEntity.ok(Chart.of(sickness.state().pool()));
    }

    /** Ends all sicknesses before the pools end. */
    @PreDestroy
    void endAll() {
        all.forEach(Sickness::end);
    }

    private @Nullable Sickness named(String id) {
        return all.stream().filter(one -> one.id().equals(id)).findFirst().orElse(null);
    }

    /**
     * The reason why a sickness is not possible on this machine.
     *
     * @param message the reason
     */
    record Excuse(String message) {}
}
