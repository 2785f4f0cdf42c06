#!/usr/bin/env bash
# tools/demo.sh PROGRAM: writes a wall and a portal, checks both, verifies both proofs, damages one, and explains the answers.
set -euo pipefail
program=${1:?usage: tools/demo.sh PROGRAM}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# shows a command as a user would type it, runs it, and stops the demo where the exit code is not the one to expect
show() {
  local expected=$1 status=0
  shift
  printf '\n$ trilith %s\n' "$*"
  "$program" "$@" || status=$?
  printf '(exit code %s)\n' "$status"
  [ "$status" -eq "$expected" ] || {
    printf 'demo: expected exit code %s\n' "$expected" >&2
    exit 1
  }
}

say() { printf '\n%s\n' "$*"; }

say "1. A running-bond wall, 6 courses of 8 blocks. Does it stand?"
show 0 generate wall --columns 8 --rows 6 -o wall.json
show 0 check wall.json --certificate wall-proof.json
show 0 verify wall.json wall-proof.json

say "2. A portal: two posts and a lintel."
show 0 generate portal -o portal.json
show 0 check portal.json --certificate portal-proof.json
show 0 verify portal.json portal-proof.json

say "3. A proof is worth something only if a false one is refused. The first digit of one force of the wall is changed:"
awk '/"forces_N"/ { forces = 1 }
     forces && !done && match($0, /, [1-9][0-9]*(\.[0-9]+)?\]/) {
       digit = substr($0, RSTART + 2, 1)
       $0 = substr($0, 1, RSTART + 1) (digit == 9 ? 8 : digit + 1) substr($0, RSTART + 3)
       done = 1
     }
     { print }' wall-proof.json >damaged.json
diff wall-proof.json damaged.json || true
show 2 verify wall.json damaged.json

cat <<'TEXT'

How to read this

  STANDS means: there are forces in the joints, all of them compression and inside the friction limit, that carry every block. The
  certificate holds these forces, one per corner of every joint. Anyone can add them up; `trilith verify` does it in exact arithmetic, from the
  geometry in the file, with code that shares nothing with the solvers.
  FALLS would mean the opposite proof: a motion that no joint resists while the weight comes down.
  UNDECIDED means that no proof was found. Nothing is ever called standing or falling because a solver said so.
  The worst unbalanced force is what rounding leaves over; compare it with the weight of a block.
  What is claimed: rigid blocks, friction as printed, no mortar, the weight of the blocks and nothing else. There is no margin in the answer.

  Exit codes: 0 stands, 1 falls, 2 undecided, so that scripts can ask too.
  Your own model: an OBJ with one object per block, COMPAS JSON or Trilith JSON (docs/conventions.md):
      build/release/trilith check MODEL.obj --friction 0.7 --certificate proof.json
TEXT
