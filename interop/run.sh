#!/usr/bin/env bash
# Installs the official TypeScript clients by the lock file, builds the demo and the fixture and runs every check against
# them. Needs Go, Node 20 or newer and npm. Arguments are the clients to run, modern or classic; none: both. The last line
# is the total, and the exit status 1 when a check failed.
set -euo pipefail
cd "$(dirname "$0")"

node -e 'const major = +process.versions.node.split(".")[0]; if (major < 20) { console.error(`Node ${process.versions.node} is too old: 20 or newer is needed`); process.exit(1) }'

built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
go build -C .. -o "$built/" ./examples/demo ./interop/fixture
npm ci --no-audit --no-fund --loglevel=error
node run.mjs "$built" "$@"
