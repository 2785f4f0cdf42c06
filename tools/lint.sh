# shellcheck shell=bash
# The checks of `tools/dev lint`. Sourced by tools/dev, which sets preset and jobs; every check runs, then the failed ones are named.
: "${preset:?}" "${jobs:?}"

# tracked and new files that match the patterns and still exist; in a tree without git, all of them
sources() {
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do [ ! -f "$file" ] || printf '%s\n' "$file"; done
  else
    local pattern
    for pattern in "$@"; do find . -path ./build -prune -o -type f -name "${pattern##*/}" -print; done | sed 's|^\./||' | sort -u
  fi
}

# the commit that --changed compares with: $TRILITH_BASE, the fork from main, else the commit before
change_base() {
  local branch base head
  head=$(git rev-parse HEAD)
  if [ -n "${TRILITH_BASE:-}" ]; then
    git merge-base HEAD "$TRILITH_BASE"
    return
  fi
  for branch in origin/main main; do
    base=$(git merge-base HEAD "$branch" 2>/dev/null) || continue
    [ "$base" = "$head" ] || { printf '%s\n' "$base" && return; }
  done
  # on main itself, or in a clone of depth 1, where everything is new
  git rev-parse --verify -q HEAD~1 || git hash-object -t tree /dev/null
}

changed_files() {
  { git diff --name-only --diff-filter=d "$(change_base)" && git ls-files --others --exclude-standard; } | sort -u
}

lint_words() {
  local words='TO''DO|FIX''ME|X''XX'
  ! sources '*.h' '*.cpp' '*.py' '*.sh' '*.md' '*.txt' '*.cmake' tools/dev .ci/run | xargs grep -nE "\\b($words)\\b"
}

lint_format() {
  if [ $# -gt 0 ]; then clang-format-19 --dry-run --Werror "$@"; fi
}

lint_shell() {
  if command -v shellcheck >/dev/null; then shellcheck tools/dev tools/*.sh .ci/run; else note "shellcheck is absent: shell scripts not checked"; fi
}

# code of one instruction set must not be merged with another's by the linker: no weak symbol in a v3 or v4 object
lint_kernels() {
  build "$preset" trilith_kernels
  python3 tools/kernel_symbols.py "build/$preset"
}

lint() {
  local failed=() check changed=() cpp=()
  need build test lint
  configure "$preset"
  if [ "${1:-}" = --changed ]; then
    git rev-parse --is-inside-work-tree >/dev/null 2>&1 || die "lint --changed needs a git checkout"
    mapfile -t changed < <(changed_files)
    mapfile -t cpp < <(printf '%s\n' "${changed[@]}" | grep -E '\.(h|cpp)$' || true)
  else
    mapfile -t cpp < <(sources '*.h' '*.cpp')
  fi
  run() {
    note "lint: $1"
    "${@:2}" || failed+=("$1")
  }
  run layers python3 tools/layers.py
  run tags python3 tools/eqcheck.py
  run sizes python3 tools/check_sizes.py
  run words lint_words
  run docs python3 tools/check_docs.py
  run shell lint_shell
  run format lint_format "${cpp[@]}"
  run kernels lint_kernels
  run clang-tidy python3 tools/tidy.py --build "build/$preset" --jobs "$jobs" ${TRILITH_TIDY_SECONDS:+--seconds "$TRILITH_TIDY_SECONDS"} "${cpp[@]}"
  for check in "${failed[@]}"; do printf 'lint failed: %s\n' "$check" >&2; done
  [ ${#failed[@]} -eq 0 ] && note "lint ok (${#cpp[@]} C++ files)"
}
