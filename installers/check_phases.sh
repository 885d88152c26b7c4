# The phases of check.sh, read by it with `source`: each prints what it does and how long it took, and adds to the sums.

passed=0 failed=0 skipped=0
times=()
log_folder=build/check

# Waiting threads sleep: a spinning team is many times slower where the tests share the processor.
export OMP_WAIT_POLICY=passive
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1}"

# One job per processor, but no more than one per GB of free memory.
jobs_at_once() {
  local processors gigabytes
  processors=$(nproc)
  gigabytes=$(awk '/^MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)
  if [ "${gigabytes:-1}" -lt 1 ]; then gigabytes=1; fi
  echo $((processors < gigabytes ? processors : gigabytes))
}

clock() { printf '%dm%02ds' $(($1 / 60)) $(($1 % 60)); }

# phase "title" command…: a phase that fails counts as one failure unless it counted its own.
phase() {
  local title="$1" start=$SECONDS failed_before=$failed status=0
  shift
  echo "== $title"
  "$@" || status=$?
  if [ $status != 0 ] && [ $failed = "$failed_before" ]; then failed=$((failed + 1)); fi
  times+=("$(printf '%8s  %s' "$(clock $((SECONDS - start)))" "$title")")
  echo "   $([ $status = 0 ] && echo done || echo FAILED) after $(clock $((SECONDS - start)))"
  return $status
}

# Passes on a build's or ctest's output, but of its "[12/345] …" and "12/345 Test …" lines only one in 15 seconds.
show_progress() {
  local line next=$((SECONDS + 15))
  while IFS= read -r line; do
    case "$line" in
      "["*/*"]"* | *" Test "*"#"*"Passed"* | *" Test "*"#"*"Skipped"* | *" Start "*)
        if [ $SECONDS -ge $next ]; then
          echo "   $line"
          next=$((SECONDS + 15))
        fi ;;
      *) echo "   $line" ;;
    esac
  done
}

configure() {
  local preset=$1 launcher=""
  if command -v ccache >/dev/null; then launcher=ccache; fi
  mkdir -p $log_folder
  if ! cmake --preset "$preset" -DANNEAL_BUILD_TESTS=ON \
    -DCMAKE_C_COMPILER_LAUNCHER=$launcher -DCMAKE_CXX_COMPILER_LAUNCHER=$launcher \
    >"$log_folder/$preset-configure.log" 2>&1; then
    cat "$log_folder/$preset-configure.log"
    return 1
  fi
}

build() {
  local preset=$1
  shift
  cmake --build --preset "$preset" -j "$(jobs_at_once)" --target "$@" 2>&1 | show_progress
}

# g++ 12's thread sanitizer cannot run where the kernel spreads addresses widely; without the spreading it always can.
fixed_addresses() {
  if setarch "$(uname -m)" -R true 2>/dev/null; then setarch "$(uname -m)" -R "$@"; else "$@"; fi
}

# run_tests preset [ctest arguments…]: runs and counts them. ctest's own summary mixes skipped and missing tests; its
# report tells them apart.
run_tests() {
  local preset=$1 report="$PWD/$log_folder/$1-tests.xml" runner=() status=0
  shift
  mkdir -p $log_folder
  rm -f "$report"
  if [ "$preset" = dev-tsan ]; then runner=(fixed_addresses); fi
  "${runner[@]}" ctest --preset "$preset" -j "$(nproc)" --output-junit "$report" "$@" 2>&1 | show_progress
  status=$?
  count_tests "$report" || return 1
  return $status
}

count_tests() {
  local report=$1 all good bad left_out
  if [ ! -f "$report" ]; then return 1; fi
  all=$(grep -c '<testcase ' "$report")
  good=$(grep -c '<testcase .*status="run"' "$report")
  left_out=$(grep -c '<skipped message="SKIP_' "$report")
  bad=$((all - good - left_out))
  passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + left_out))
  echo "   $good passed, $bad failed, $left_out skipped"
  [ $bad = 0 ]
}

our_sources() { git ls-files -- '*.cpp' '*.h' '*.cu' '*.cuh'; }

check_layout() { our_sources | xargs clang-format-19 --dry-run --Werror; }

check_tidy() { our_sources | grep '\.cpp$' | xargs -P "$(jobs_at_once)" -n 4 clang-tidy-19 --quiet -p "build/$1"; }

finish() {
  echo "== times"
  printf '%s\n' "${times[@]}"
  echo "$passed passed, $failed failed, $skipped skipped"
  [ $failed = 0 ]
  exit
}
