#!/usr/bin/env bash
# Runs the benchmarks in process of all packages, six times each, and writes what benchstat reads; about 5 minutes.
#
#   bench/baseline.sh [FILE [FLAGS]]      FILE: default bench/baseline.txt; FLAGS: further flags of go test
#
# Left out are twins, which show what something else costs, and Scale, which shows what a cost depends on.
set -euo pipefail
cd "$(dirname "$0")/.."
readonly skip='Scale|Twin|JSONText|EncodingJSON|Canned|Strings/.*/jsontext'
file=${1:-bench/baseline.txt}
flags=("${@:2}")

# What the run is about, on lines that benchstat passes over: as settings they would keep two files from being compared.
about() {
	local commit model
	commit=$(git rev-parse --short=10 HEAD)
	if [ -n "$(git status --porcelain --untracked-files=no)" ]; then commit+=', with changes that are not committed'; fi
	model=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
	echo "# commit $commit"
	echo "# $(nproc) CPUs, ${model:-$(uname -m)}, $(go env GOVERSION)"
}
moment() { echo "# $1 $(date -u '+%Y-%m-%d %H:%M UTC'), load average $(cut -d ' ' -f 1-3 /proc/loadavg 2>/dev/null || echo unknown)"; }

new=$(mktemp)
trap 'rm -f "$new"' EXIT
{
	about
	moment begun
	go test -run '^$' -bench . -skip "$skip" -benchmem -count 6 -benchtime 200ms ${flags[@]+"${flags[@]}"} ./... |
		{ grep -E '^(goos|goarch|pkg|cpu|Benchmark|---|FAIL)' || true; }
	moment ended
} | tee "$new"
# A run that fails leaves the baseline as it is.
cp "$new" "$file"
