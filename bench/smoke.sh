#!/usr/bin/env bash
# Runs every test of the benchmark for a moment against Bowline and the floor, and fails when an answer is wrong, missing
# or late; then the whole of the budget's command. It says nothing about speed. Needs Go and Linux; takes about a minute.
set -euo pipefail
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
go build -o "$scratch/" ./loadgen ./floor
go build -o "$scratch/bowline" ./server
"$scratch/loadgen" -strict -servers none -server "floor=$scratch/floor" -server "bowline=$scratch/bowline" \
	-tests load,startup,soak -rounds 1 -n 3000 -time 150ms -warmup 50ms -starts 2 -soak 5000 \
	-out "$scratch/results.jsonl" -md "$scratch/results.md" "$@"
"$scratch/loadgen" -strict -servers none -server "floor=$scratch/floor" -server "bowline=$scratch/bowline" -tests idle -idle 100 \
	-out "$scratch/idle.jsonl" -md "$scratch/idle.md" "$@"
"$scratch/loadgen" -budget -servers none -server "floor=$scratch/floor" -server "floor-json=$scratch/floor -json" \
	-server "bowline=$scratch/bowline" -rounds 1 -n 1000 -time 50ms -warmup 20ms -soak 2000 \
	-out "$scratch/budget.jsonl" -md "$scratch/budget.md"
