#!/usr/bin/env bash
# The sums of installers/check.sh: what counts as passed, failed and skipped, and that a failure is never lost.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
wrong=0

expect() {  # expect "what" actual wanted
  if [ "$2" != "$3" ]; then
    echo "$1: got '$2', wanted '$3'"
    wrong=1
  fi
}

# A report as ctest writes it: one passed, one skipped by its own choice, one failed, one whose program is missing.
cat >"$folder/mixed.xml" <<'XML'
<testsuite name="(empty)" tests="4" failures="1" disabled="0" skipped="2">
	<testcase name="A.Skips" classname="A.Skips" time="0.01" status="notrun">
		<skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
	</testcase>
	<testcase name="A.Passes" classname="A.Passes" time="0.01" status="run">
		<system-out>&lt;testcase status=&quot;run&quot;</system-out>
	</testcase>
	<testcase name="A.Fails" classname="A.Fails" time="0.01" status="fail">
		<failure message=""/>
	</testcase>
	<testcase name="B_NOT_BUILT" classname="B_NOT_BUILT" time="0" status="notrun">
		<skipped message="Unable to find executable"/>
	</testcase>
</testsuite>
XML
sed -e '/A.Fails/,/<\/testcase>/d' -e '/B_NOT_BUILT/,/<\/testcase>/d' "$folder/mixed.xml" >"$folder/good.xml"

last_line() { bash -c "source installers/check_phases.sh; $1; finish" 2>&1 | tail -n 1; }
status_of() { bash -c "source installers/check_phases.sh; $1; finish" >"$folder/output" 2>&1; echo $?; }

expect "mixed report" "$(last_line "phase t count_tests $folder/mixed.xml")" "1 passed, 2 failed, 1 skipped"
expect "mixed report's status" "$(status_of "phase t count_tests $folder/mixed.xml")" 1
expect "good report" "$(last_line "phase t count_tests $folder/good.xml")" "1 passed, 0 failed, 1 skipped"
expect "good report's status" "$(status_of "phase t count_tests $folder/good.xml")" 0
expect "two reports are added" \
  "$(last_line "phase t count_tests $folder/good.xml; phase u count_tests $folder/mixed.xml")" \
  "2 passed, 2 failed, 2 skipped"
expect "no report is a failure" "$(last_line "phase t count_tests $folder/absent.xml")" "0 passed, 1 failed, 0 skipped"
expect "a broken build is a failure" "$(last_line "phase build false")" "0 passed, 1 failed, 0 skipped"
expect "a broken build's status" "$(status_of "phase build false")" 1
expect "an error line is shown" "$(printf '[1/2] quiet\nfile.cpp:1: error: loud\n' |
  bash -c 'source installers/check_phases.sh; show_progress')" "   file.cpp:1: error: loud"

# The list of packages: every line that names one says what it is for.
expect "packages without a reason" \
  "$(awk '/^[a-z]/ && !/#/ { print $1 }' installers/packages/debian-12.txt | tr '\n' ' ')" ""
expect "usage is refused" "$(bash installers/check.sh --no-such-flag >/dev/null 2>&1; echo $?)" 2
exit $wrong
