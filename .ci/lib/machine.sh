# Finds and installs what the stages need. Read by .ci/run and by stages that use several JDKs.

install() {
    local sudo=()
    [ "$(id -u)" = 0 ] || sudo=(sudo)
    run_briefly 1 "${sudo[@]}" apt-get update
    run_briefly 1 "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

# Debian starts a service when it installs it, and again with the machine. Only the service's programs are wanted here.
stop_service() {
    local sudo=()
    [ "$(id -u)" = 0 ] || sudo=(sudo)
    if [ -d /run/systemd/system ]; then
        run "${sudo[@]}" systemctl disable --now "$1"
    elif command -v systemctl >/dev/null; then
        run "${sudo[@]}" systemctl disable "$1"
    elif command -v update-rc.d >/dev/null; then
        run "${sudo[@]}" update-rc.d "$1" disable
    fi
}

# Homes of the JDKs that JAVA_HOME, JAVA_HOME_... and the PATH name, and of all JDKs beside these.
jdk_homes() {
    local javac known home
    known=$(compgen -e | grep '^JAVA_HOME' | while read -r name; do printf '%s\n' "${!name}"; done || true)
    if javac=$(command -v javac); then
        known+=$'\n'$(dirname "$(dirname "$(readlink -f "$javac")")")
    fi
    while read -r home; do
        [ -d "$home" ] && printf '%s\n' "$home" "$(dirname "$home")"/*
    done <<<"$known" | while read -r home; do
        [ -x "$home/bin/javac" ] && [ -f "$home/release" ] && readlink -f "$home"
    done | sort -u || true
}

feature_version() { sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"; }

home_of_17() {
    jdk_homes | while read -r home; do
        [ "$(feature_version "$home")" != 17 ] || printf '%s\n' "$home"
    done | awk 'NR == 1'
}

# Prints nothing if no JDK is newer than 17.
home_of_newest() {
    jdk_homes | while read -r home; do
        printf '%s %s\n' "$(feature_version "$home")" "$home"
    done | sort -n | awk '$1 > 17 { home = $2 } END { print home }'
}

use_jdk() { export JAVA_HOME=$1 PATH="$1/bin:$PATH"; }

prepare_machine() {
    section "the machine"
    local missing=() home
    [ -n "$(home_of_17)" ] || missing+=(openjdk-17-jdk-headless)
    command -v mvn >/dev/null || missing+=(maven)
    command -v git >/dev/null || missing+=(git)
    command -v promtool >/dev/null || missing+=(prometheus)
    if [ ${#missing[@]} -gt 0 ]; then
        install "${missing[@]}"
    fi
    case " ${missing[*]} " in *" prometheus "*) stop_service prometheus ;; esac
    home=$(home_of_17)
    [ -n "$home" ] || { echo "no JDK 17 on this machine" >&2; return 1; }
    use_jdk "$home"
    run mvn -version
    run promtool --version
    echo "$(nproc) processors"
    # Prometheus is there, so a test that needs Prometheus must fail rather than be skipped.
    export LIFEGUARD_FLEET=required
}
