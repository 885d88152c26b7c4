#!/usr/bin/env bash
# Checks Anneal from scratch: installs what is missing, builds, and runs the tests.
#   installers/check.sh           release build with all unit tests; then kernels, datasets and engine under the address and
#                                 undefined-behaviour sanitizers; then the threaded parts under the thread sanitizer
#   installers/check.sh --quick   the release build and its tests only
#   installers/check.sh --full    also the slow tests, the code's layout, a second compiler and clang-tidy
# The last line is "N passed, N failed, N skipped" over all test runs; the exit status is 0 only if nothing failed.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/.." || exit 2
source installers/check_phases.sh

mode=normal
for argument in "$@"; do  # the last one counts
  case "$argument" in
    --quick) mode=quick ;;
    --full) mode=full ;;
    *) sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
done

sections=(build test)
if [ $mode = full ]; then sections+=(full); fi
phase "packages" bash installers/install_packages.sh "${sections[@]}" || finish

slow=(--label-exclude '^slow$')
if [ $mode = full ]; then slow=(); fi

phase "release: configure" configure release &&
  phase "release: build everything" build release all &&
  phase "release: tests" run_tests release "${slow[@]}"

if [ $mode != quick ]; then
  phase "address and undefined: configure" configure dev-asan &&
    phase "address and undefined: build kernels, datasets, engine" \
      build dev-asan tests_kernels tests_datasets tests_engine &&
    phase "address and undefined: tests" run_tests dev-asan --label-regex '^(kernels|datasets|engine)$' "${slow[@]}"

  phase "threads: configure" configure dev-tsan &&
    phase "threads: build what has threads" build dev-tsan tests_threads &&
    phase "threads: tests" run_tests dev-tsan --label-regex '^threads$' "${slow[@]}"
fi

if [ $mode = full ]; then
  phase "layout of the code" check_layout
  phase "second compiler: configure" configure clang &&
    phase "second compiler: build everything" build clang all &&
    phase "second compiler: tests" run_tests clang "${slow[@]}" &&
    phase "clang-tidy" check_tidy clang
fi
finish
