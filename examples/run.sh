#!/bin/sh
# Runs every example and compares the answer with what the README of this folder says. Usage: run.sh PATH_OF_TRILITH [PATH_OF_CHECK_PORTAL]
trilith=$(realpath "$1")
portal=${2:+$(realpath "$2")}
cd "$(dirname "$0")" || exit 1
failed=0

# expect CODE WORDS...: the exit code that the README promises
expect() {
  wanted=$1
  shift
  echo "\$ $*"
  "$@"
  code=$?
  [ "$code" = "$wanted" ] && return
  echo "exit code $code, expected $wanted"
  failed=1
}

expect 0 "$trilith" check bricks.json
expect 1 "$trilith" check bricks.json --friction 0.6 --gravity 6,0,-9.81
expect 1 "$trilith" check slope.json
expect 0 "$trilith" check slope.json --friction 0.5
expect 0 "$trilith" check portal_compas.json
expect 0 "$trilith" order portal_compas.json
expect 1 "$trilith" order portal_compas.json --order 1,3,2
expect 0 "$trilith" gate stone.obj --support course.obj --into 0,1,0
expect 0 "$trilith" gate stone.obj --support course.obj --seats seats.json --into 0,1,0
[ -z "$portal" ] || expect 0 "$portal"
exit $failed
