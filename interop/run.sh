#!/usr/bin/env bash
# Installs the official TypeScript clients by the lock file, builds the demo server and runs every script against it.
# Needs Go, Node 20 or newer and npm. Exits with 1 when a check fails.
set -euo pipefail
cd "$(dirname "$0")"

node -e 'const major = +process.versions.node.split(".")[0]; if (major < 20) { console.error(`Node ${process.versions.node} is too old: 20 or newer is needed`); process.exit(1) }'

built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
go build -C .. -o "$built/demo" ./examples/demo
npm ci --no-audit --no-fund --loglevel=error

failed=0
for script in modern classic; do
	node "$script.mjs" "$built/demo" || failed=1
done
exit "$failed"
