#!/usr/bin/env bash
# test/setup.sh: what script/setup would install on systems that are told to it by a stand-in for
# /etc/os-release, with stand-ins for apt and dpkg; and that it stops where it cannot.
set -euo pipefail
cd "$(dirname "$0")/.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# Packages of $place/known can be had, those of $place/there are installed.
mkdir "$place/bin"
cat >"$place/bin/apt-cache" <<'END'
#!/bin/sh
if grep -qxF -- "$2" "$STAND_IN/known"; then
    printf '%s:\n  Installed: (none)\n  Candidate: 1.0\n' "$2"
fi
END
cat >"$place/bin/dpkg-query" <<'END'
#!/bin/sh
for package; do :; done
grep -qxF -- "$package" "$STAND_IN/there" && echo installed
END
cat >"$place/bin/apt-get" <<'END'
#!/bin/sh
echo "$@" >>"$STAND_IN/asked"
END
printf '#!/bin/sh\nexec "$@"\n' >"$place/bin/sudo"
chmod +x "$place"/bin/*
export STAND_IN=$place PATH=$place/bin:$PATH GYRE_OS_RELEASE=$place/os-release

# run WANTED_STATUS "os-release, lines by ;" [OPTIONS...]: what it says lies in $place/said.
run() {
    local wanted=$1 status=0
    tr ';' '\n' <<<"$2" >"$place/os-release"
    shift 2
    : >"$place/asked"
    script/setup "$@" >"$place/said" 2>&1 || status=$?
    [ $status -eq "$wanted" ] || { fail "status $status on $(head -1 "$place/os-release"):" && cat "$place/said"; }
}

says() {
    grep -q -- "$1" "$place/said" || { fail "'$1' was not said:" && cat "$place/said"; }
}

silent() {
    ! grep -q -- "$1" "$place/said" || fail "'$1' was said on $(head -1 "$place/os-release")"
}

debian12='ID=debian;VERSION_ID="12"'
debian13='ID=debian;VERSION_ID="13"'
common='gcc libc6-dev cmake ninja-build pkg-config libjansson-dev libpng-dev ffmpeg libsdl2-dev
    libepoxy-dev libimgui-dev g++ libvulkan-dev libvulkan-volk-dev glslc git libcmocka-dev'
: >"$place/there"

# ---- Debian 12 has clang 14 and its formatter

tr -s ' ' '\n' <<<"$common clang-14 clang libclang-rt-14-dev libclang-rt-dev clang-format-14
    qemu-user-static qemu-user" >"$place/known"
run 0 "$debian12" --test --dry-run
says '^  clang-14 '
says '^  clang-format-14 '
says '^  libclang-rt-14-dev '
says '^  qemu-user-static '
silent '^  clang '
[ ! -s "$place/asked" ] || fail "--dry-run asked apt-get for: $(cat "$place/asked")"
run 0 "$debian12"
grep -q '^update' "$place/asked" || fail "lists were not renewed"
grep -q '^install .* gcc .* glslc' "$place/asked" || fail "apt-get was asked for: $(cat "$place/asked")"
grep -q clang "$place/asked" && fail "building alone does not want clang"

# ---- Debian 13 has neither: the clang that it has, and no formatter

tr -s ' ' '\n' <<<"$common clang libclang-rt-dev qemu-user" >"$place/known"
run 0 "$debian13" --test
says '^  clang '
says '^  libclang-rt-dev '
says '^  qemu-user '
silent 'clang-14'
silent 'clang-format'
grep -q '^install .* clang ' "$place/asked" || fail "apt-get was asked for: $(cat "$place/asked")"

# ---- what is there is not asked for, by whichever of its names

tr -s ' ' '\n' <<<"$common" >"$place/there"
run 0 "$debian13"
says 'all packages are there'
[ ! -s "$place/asked" ] || fail "apt-get was asked for: $(cat "$place/asked")"
echo clang >>"$place/there"
run 0 "$debian13" --test --dry-run
silent '^  clang '
says '^  libclang-rt-dev '

# ---- Ubuntu, by the same names

: >"$place/there"
run 0 'ID=ubuntu;VERSION_ID="24.04";ID_LIKE=debian' --dry-run
says '^  libimgui-dev '
run 1 'ID=ubuntu;VERSION_ID="22.04";ID_LIKE=debian' # CMake 3.22
says '^  libimgui-dev '
run 1 'ID=debian;VERSION_ID="11"'

# ---- elsewhere: a list, and nothing is done

run 1 'ID=fedora;VERSION_ID=41' --test
says 'dnf install'
says 'jansson-devel'
says '^  libc6-dev-arm64-cross '
run 1 'ID=rocky;VERSION_ID="9.4";ID_LIKE="rhel centos fedora"'
says 'dnf install'
run 1 'ID=arch'
says 'pacman -S'
says 'sdl2-compat'
silent 'cmocka'
run 1 'ID=manjaro;ID_LIKE=arch' --test
says 'cmocka'
run 1 'ID=alpine;VERSION_ID=3.20'
says '^  libjansson-dev '
rm "$place/os-release"
printf '#!/bin/sh\necho Darwin\n' >"$place/bin/uname"
chmod +x "$place/bin/uname"
GYRE_OS_RELEASE=$place/none script/setup >"$place/said" 2>&1 && fail "macOS: status 0"
says 'brew install'
says 'jansson'
run 2 "$debian12" --tests
[ ! -s "$place/asked" ] || fail "apt-get was asked for: $(cat "$place/asked")"
[ $failures -eq 0 ]
echo "script/setup asks for the right packages"
