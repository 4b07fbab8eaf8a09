# How stages run commands, and what they tell the summary. Read by .ci/run and by each stage.

section() { printf '\n==== %s (at %s s)\n' "$1" "$SECONDS"; }

# Prints the command, runs it, and prints how long it took. Returns the command's status.
run() {
    local start=$SECONDS status=0
    printf '+ %s\n' "$*"
    "$@" || status=$?
    printf -- '- %s s\n' $((SECONDS - start))
    return "$status"
}

# As run, for commands that print a lot: shows only the last $1 lines, or 200 lines if the command failed.
run_briefly() {
    local lines=$1 log="$CI_SCRATCH/log" start=$SECONDS
    shift
    printf '+ %s\n' "$*"
    if ! "$@" >"$log" 2>&1; then
        tail -n 200 "$log"
        return 1
    fi
    tail -n "$lines" "$log"
    printf -- '- %s s\n' $((SECONDS - start))
}

# The stage tests-17 leaves this file. Then all jars are built, and Maven need not compile a module again because a jar
# that it depends on is new.
all_built="${CI_SCRATCH:-/nowhere}/built"
as_built=()
[ ! -f "$all_built" ] || as_built=(-Dmaven.compiler.useIncrementalCompilation=false -Dspotless.check.skip)

# Builds the jars of the modules $1 and of those that they need, unless they are built.
packaged() {
    [ -f "$all_built" ] || run_briefly 1 mvn -B -ntp -T 1C -pl "$1" -am -DskipTests -Dspotless.check.skip package
}

# For tests that wait for real threads and windows. On a busy machine one of thousands may come too late, which should
# be seen and mended, but not hold up a change that it has nothing to do with. Not for those that look for races.
repeat_failed_once='-Dsurefire.rerunFailingTestsCount=1 -Dfailsafe.rerunFailingTestsCount=1'

# As run, for a Maven command that runs tests. Adds their number to the summary, and those that failed only once.
run_tests() {
    local name=$1 log="$CI_SCRATCH/tests" status=0
    shift
    run "$@" 2>&1 | tee "$log" || status=$?
    # Surefire's and Failsafe's closing lines have no time at their end.
    awk -v name="$name" '
        /Tests run: [0-9, a-zA-Z:]*$/ { split($0, n, /[^0-9]+/); for (i in n) if (n[i] != "") sum[i] += n[i] }
        END {
            printf "%s: %d tests, %d failures, %d errors, %d skipped\n", name, sum[2], sum[3], sum[4], sum[5]
            exit sum[2] == 0
        }' "$log" | tee -a "$CI_SCRATCH/notes" || { echo "no test ran"; return 1; }
    # Surefire lists the tests that failed and then passed between a line "Flakes:" and the numbers.
    awk '/^\[WARNING\] Flakes:/ { on = 1; next } /Tests run:/ { on = 0 } on && /^\[WARNING\] / { print $2 }' "$log" |
        while read -r test; do repeated "$test, which failed once"; done
    [ "$status" = 0 ] || output_of_failed_tests
    return "$status"
}

# What the classes with a failed test logged last.
output_of_failed_tests() {
    local report output
    find . -path '*/target/*-reports/*.txt' -exec grep -lE '<<< (FAILURE|ERROR)!' {} + | while read -r report; do
        output="${report%.txt}-output.txt"
        [ ! -f "$output" ] || { printf '\n---- %s\n' "$output"; tail -n 100 "$output"; }
    done
}

# Says that a part of the checks cannot run on this machine.
skipped() { printf 'skipped: %s\n' "$1" | tee -a "$CI_SCRATCH/notes"; }

# Says that a noisy measurement failed once and is tried again.
repeated() { printf 'repeated: %s\n' "$1" | tee -a "$CI_SCRATCH/notes"; }

copy_tracked_files() {
    mkdir -p "$1"
    git ls-files -z | xargs -0 cp --parents -t "$1"
}

# Prints the code block after a marker in README.md, for example after <!-- command: test -->
readme_command() {
    awk -v marker="<!-- command: $1 -->" '
        index($0, marker) { found = 1; next }
        found && /^```/   { if (inside) exit; inside = 1; next }
        inside            { print }
        END               { exit !inside }' README.md || { echo "README.md marks no command: $1" >&2; return 1; }
}
