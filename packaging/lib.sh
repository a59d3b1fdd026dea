# shellcheck shell=bash
# What packaging/run and packaging/test have in common: installing what is missing, and building a preset.

project=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "$1" >&2; }

fail() {
    say "packaging/${0##*/}: $1"
    exit 1
}

# Names the packages of the given sections of packages.txt.
packages_of() {
    local wanted=" $* " section='' word rest
    while read -r word rest; do
        case $word in
        '' | '#'*) ;;
        '['*']') section=${word:1:-1} ;;
        *) [[ $wanted != *" $section "* ]] || printf '%s\n' "$word" ;;
        esac
    done <"$project/packaging/packages.txt"
}

as_root() {
    if ((EUID == 0)); then
        "$@"
    elif ! command -v sudo >/dev/null; then
        fail "packages are missing ($missing); run this as root, or install sudo."
    elif [[ -t 0 ]]; then
        sudo "$@"
    else
        sudo -n "$@"
    fi
}

require_debian() {
    local ID='' ID_LIKE='' VERSION_ID=''
    # shellcheck source=/dev/null
    [[ ! -r /etc/os-release ]] || . /etc/os-release
    if [[ " $ID $ID_LIKE " != *' debian '* ]] || ! command -v apt-get >/dev/null; then
        fail "this is not a Debian; install what packaging/packages.txt names, then: cmake --preset release && cmake --build --preset release"
    fi
    if [[ $ID == debian && -n $VERSION_ID && ${VERSION_ID%%.*} -lt 12 ]]; then
        fail "Debian $VERSION_ID is too old; Qt 6.4 needs Debian 12 or newer."
    fi
}

# Installs the packages of the given sections that are not there yet. Does nothing, and needs no rights, when all are.
install_missing() {
    require_debian
    local name log=$project/build/packages.log fresh=1
    local -a wanted absent=()
    mapfile -t wanted < <(packages_of "$@")
    local installed
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null || true)
    for name in "${wanted[@]}"; do
        grep -qxF "installed $name" <<<"$installed" || absent+=("$name")
    done
    ((${#absent[@]} > 0)) || return 0
    missing=${absent[*]}

    say "Installing ${#absent[@]} packages: $missing"
    mkdir -p "$project/build"
    local -a apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
    as_root "${apt[@]}" -o APT::Update::Error-Mode=any update </dev/null >"$log" 2>&1 || fresh=0
    as_root "${apt[@]}" install -y --no-install-recommends "${absent[@]}" </dev/null >>"$log" 2>&1 && return 0
    if ((fresh)); then
        fail "could not install $missing: $(grep -m1 '^E:' "$log" || tail -n1 "$log") (all of it: $log)"
    fi
    fail "could not reach the package servers; check the network, then run this again. (What apt-get said: $log)"
}

# As many compilers as there are processors, but at least 1.5 GB of memory for each.
build_jobs() {
    local processors memory
    processors=$(nproc)
    memory=$(awk '/^MemAvailable:/ { print int($2 / 1572864) }' /proc/meminfo)
    ((memory >= 1)) || memory=1
    printf '%s' $((processors < memory ? processors : memory))
}

# Makes moc look again where a folder has got new files since: CMake notes them, but does not run moc for them.
refresh_moc() {
    local folder=$1 info target
    ninja -C "$folder" build.ninja >/dev/null || return 0 # the build itself will say what is wrong
    while read -r info; do
        target=$(basename "$(dirname "$info")" .dir)
        [[ ! $info -nt ${info%/CMakeFiles/*}/$target/timestamp ]] || rm -f "${info%/CMakeFiles/*}/$target/timestamp"
    done < <(find "$folder" -name AutogenInfo.json)
}

# Configures (only when the presets are newer, or the folder was moved) and builds one preset.
build_preset() {
    local preset=$1 folder=$project/build/$1
    local cache=$folder/CMakeCache.txt log=$project/build/$1.log
    mkdir -p "$project/build"
    if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$project" "$cache"; then
        rm -rf "$folder"
    fi
    if [[ ! -f $folder/build.ninja || $project/CMakePresets.json -nt $folder/build.ninja ]]; then
        (cd "$project" && cmake --preset "$preset") >"$log" 2>&1 </dev/null \
            || { cat "$log" >&2; fail "the preset $preset could not be configured; see above."; }
    fi
    refresh_moc "$folder"
    cmake --build "$folder" --parallel "$(build_jobs)" </dev/null >&2 || fail "the preset $preset does not build; see above."
}
