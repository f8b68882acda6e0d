#!/usr/bin/env bash
# test/manual.sh GYRE: the manual page and the completions tell every command and option that the
# tool's own help tells, and bash completes words by them. Shells and checkers that are installed
# read theirs.
set -euo pipefail
gyre=$1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

"$gyre" help --manual >"$place/gyre.1"
for shell in bash zsh fish; do
    "$gyre" help --completion $shell >"$place/gyre.$shell"
done
"$gyre" help --completion csh >"$place/said" 2>&1 && fail "there is no completion for csh"
grep -q 'expected bash, zsh or fish' "$place/said" || fail "what is known is not named"

# ---- the tables, against what help prints

mapfile -t commands < <("$gyre" help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p')
[ ${#commands[@]} -ge 8 ] || fail "help names ${#commands[@]} commands"
checked=0
for command in "${commands[@]}"; do
    grep -q "^\.SS gyre $command" "$place/gyre.1" || fail "the page lacks $command"
    # (files, not pipes: grep -q would leave before all is written)
    sed -n "/^\.SS gyre $command/,/^\.S[SH] /{/^\.SH/!p}" "$place/gyre.1" >"$place/section"
    sed -n "/^    $command)\$/,/;;/p" "$place/gyre.zsh" >"$place/zsh"
    sed -n "/^        $command)\$/,/;;/p" "$place/gyre.bash" >"$place/bash"
    grep "subcommand_from $command'" "$place/gyre.fish" >"$place/fish" || true
    for option in $("$gyre" help "$command" | sed -n 's/^  --\([a-z-]*\).*/\1/p') help; do
        checked=$((checked + 1))
        grep -q -- "--$option\b" "$place/bash" || fail "bash lacks $command --$option"
        grep -q -- "'\*--$option\[" "$place/zsh" || fail "zsh lacks $command --$option"
        grep -q -- " -l $option " "$place/fish" || fail "fish lacks $command --$option"
        grep -qF -- "\\fB\\-\\-${option//-/\\-}\\fR" "$place/section" ||
            fail "the page lacks $command --$option"
    done
done
[ $checked -ge 60 ] || fail "only $checked options were looked at"

# ---- bash completes

# shellcheck disable=SC1091
. "$place/gyre.bash"

# completes "WORDS OF A LINE" EXPECTED...: the last word is the one to complete.
completes() {
    local line=$1
    shift
    COMP_WORDS=()
    local rest=$line
    while [[ $rest == *' '* ]]; do
        COMP_WORDS+=("${rest%% *}")
        rest=${rest#* }
    done
    COMP_WORDS+=("$rest")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    COMPREPLY=()
    _gyre || true # (bash -e is off where a word is completed)
    [ "${COMPREPLY[*]}" = "$*" ] || fail "\"$line\" gives: ${COMPREPLY[*]}; expected: $*"
}

cd "$place"
mkdir scenes
touch one.json 'two words.json' notes.txt
completes "gyre ru" run
completes "gyre run --check" --checkpoint
completes "gyre run --th" --threads
completes "gyre run --device v" vulkan
completes "gyre run one.json --frames " ""
completes "gyre run o" one.json
completes "gyre run t" "two words.json"
completes "gyre run s" scenes
completes "gyre run n" ""
completes "gyre run --out n" notes.txt
completes "gyre bench so" solvers
completes "gyre bench gas --unt" --untimed
completes "gyre bench solvers --solver mgp" mgpcg
completes "gyre validate ritt" ritter
completes "gyre view --full" --full-screen
completes "gyre help valid" validate
completes "gyre schema --h" --help

# ---- those who can, read it

if command -v zsh >/dev/null; then
    zsh -n gyre.zsh || fail "zsh cannot read its completion"
fi
if command -v fish >/dev/null; then
    fish -n gyre.fish || fail "fish cannot read its completion"
fi
if command -v groff >/dev/null; then
    [ -z "$(groff -man -Tutf8 -ww gyre.1 2>&1 >/dev/null)" ] || fail "groff warns of the page"
fi
[ $failures -eq 0 ]
echo "$checked options of ${#commands[@]} commands"
