# Builds the pool as it was before a change. Read by the stage that compares them.

# The revision to compare with: on a branch, where it left the main branch; otherwise the newest one that is at least a
# day older than this one, so that the many small losses of a day's work add up to one that shows. Prints nothing where
# neither is known, as in a shallow copy. LIFEGUARD_BEFORE names another revision.
revision_before() {
    local base now
    if [ -n "${LIFEGUARD_BEFORE:-}" ]; then
        git rev-parse --verify --quiet "$LIFEGUARD_BEFORE^{commit}" || true
        return
    fi
    base=$(git merge-base HEAD main 2>/dev/null || true)
    if [ -z "$base" ] || [ "$base" = "$(git rev-parse --verify --quiet HEAD)" ]; then
        now=$(git log -1 --format=%ct 2>/dev/null || true)
        base=$([ -z "$now" ] || git rev-list -1 --before=$((now - 24 * 60 * 60)) HEAD 2>/dev/null || true)
    fi
    printf '%s' "$base"
}

# Builds the pool of revision $1 in the directory $2, with its monitor, as before.jar. Needs what a build of this
# revision needs.
jar_of_revision() {
    local modules=pool-core module
    mkdir -p "$2/classes"
    git archive "$1" | tar -x -C "$2" || return
    [ ! -f .mvn/maven.config ] || cp .mvn/maven.config "$2/.mvn/"
    [ ! -d "$2/pool-monitor" ] || modules=pool-core,pool-monitor
    # What Error Prone finds, and whether its tests compile, that revision has shown itself.
    sed -i '/-Xplugin:ErrorProne/d' "$2/pom.xml"
    (cd "$2" && run_briefly 3 mvn -B -ntp -q -pl "$modules" -am -Dmaven.test.skip -Dspotless.check.skip package) || return
    for module in ${modules/,/ }; do
        cp -r "$2/$module/target/classes/." "$2/classes" || return
    done
    rm -f "$2/classes/module-info.class"
    "$JAVA_HOME/bin/jar" --create --file "$2/before.jar" -C "$2/classes" .
}
