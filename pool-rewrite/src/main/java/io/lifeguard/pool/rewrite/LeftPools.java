package io.lifeguard.pool.rewrite;

import org.openrewrite.Column;
import org.openrewrite.DataTable;
import org.openrewrite.Recipe;

/** The data table of the pools that the recipes leave as they are, with the reasons. */
public final class LeftPools extends DataTable<LeftPools.Row> {

    /**
     * Makes a table.
     *
     * @param recipe that fills it, not null
     */
    public LeftPools(Recipe recipe) {
        super(recipe, "Pools that are left", "Creations of thread pools that stay as they are, and why.");
    }

    /**
     * One creation.
     *
     * @param file its path
     * @param code the creation, shortened
     * @param reason why it stays
     */
    public record Row(
            @Column(displayName = "Source file", description = "The path of the file.")
            String file,

            @Column(displayName = "Creation", description = "The expression, shortened.")
            String code,

            @Column(displayName = "Reason", description = "Why it stays as it is.")
            String reason) {}
}
