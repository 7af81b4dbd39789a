#!/usr/bin/env bash
# Builds the load generator, the floor, Bowline's server and the peers, and runs the comparison.
# Arguments go to the load generator: bin/loadgen -help lists them. Needs Go, Linux and, for the Node peer, Node 20 and npm.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p bin
go build -o bin/ ./loadgen ./floor
go build -o bin/bowline ./server
go build -o bin/go-sdk ./peers/gosdk
go build -o bin/mcp-go ./peers/mcpgo
go build -o bin/trpc-mcp-go ./peers/trpcmcp
# Where the page cache holds a file as the linker wrote it, it starts up to 0.25 ms slower than a copy, a tenth of a start.
for program in bin/*; do
	cp "$program" "$program.copy"
	mv "$program.copy" "$program"
done
if ! command -v npm >/dev/null; then
	echo 'npm is missing: ts-sdk will not start, and its cells stay empty' >&2
elif [ ! -d peers/tssdk/node_modules ]; then
	npm --prefix peers/tssdk ci --no-audit --no-fund --loglevel=error
fi
exec bin/loadgen "$@"
