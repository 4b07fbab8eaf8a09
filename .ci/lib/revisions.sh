# Builds the pool as it was before a change. Read by the stage that compares them.

# The revision to compare with: on a branch, where it left the main branch; otherwise the one before the last change of
# the pool. Prints nothing where neither is known, as in a shallow copy. LIFEGUARD_BEFORE names another revision.
revision_before() {
    local base last
    if [ -n "${LIFEGUARD_BEFORE:-}" ]; then
        git rev-parse --verify --quiet "$LIFEGUARD_BEFORE^{commit}" || true
        return
    fi
    base=$(git merge-base HEAD main 2>/dev/null || true)
    if [ -z "$base" ] || [ "$base" = "$(git rev-parse --verify --quiet HEAD)" ]; then
        last=$(git log -1 --format=%H -- pool-core/src/main 2>/dev/null || true)
        base=$([ -z "$last" ] || git rev-parse --verify --quiet "$last~1" || true)
    fi
    printf '%s' "$base"
}

# Builds pool-core of revision $1 in the directory $2, as pool-core.jar. Needs what a build of this revision needs.
jar_of_revision() {
    mkdir -p "$2"
    git archive "$1" | tar -x -C "$2" || return
    [ ! -f .mvn/maven.config ] || cp .mvn/maven.config "$2/.mvn/"
    (cd "$2" && run_briefly 3 mvn -B -ntp -q -pl pool-core -am -DskipTests -Dspotless.check.skip package) || return
    find "$2/pool-core/target" -maxdepth 1 -name 'pool-core-*.jar' ! -name '*-sources.jar' ! -name '*-javadoc.jar' \
        ! -name '*-tests.jar' -exec cp {} "$2/pool-core.jar" \;
    [ -f "$2/pool-core.jar" ]
}
