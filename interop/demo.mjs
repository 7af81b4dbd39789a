// How the scripts start the demo server and watch what it sends.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { holds } from './report.mjs';

/** Where the demo server's binary is; run.sh builds it and says so. */
export function demo() {
  const [command, ...args] = process.argv.slice(2);
  if (!command) {
    console.error('usage: node modern.mjs|classic.mjs <demo binary> [arguments]');
    process.exit(2);
  }
  return { command, args, stderr: 'inherit' };
}

/** Starts the demo server on HTTP, on a free port. */
export async function served() {
  const { command, args } = demo();
  const child = spawn(command, [...args, '-http', '127.0.0.1:0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface({ input: child.stderr })) {
    const url = line.match(/http:\S+/)?.[0];
    if (url) {
      child.stderr.resume();
      return { url: new URL(url), stop: () => child.kill('SIGINT') };
    }
  }
  throw new Error('the demo server does not say where it listens');
}

/** Returns a list that every message from the server is added to, in the order of arrival. */
export function observe(transport) {
  const received = [];
  const deliver = transport.onmessage;
  transport.onmessage = (message, extra) => {
    received.push(message);
    deliver(message, extra);
  };
  return received;
}

/** Sends a request that the client would not send, past the client, and returns the whole answer. */
export async function past({ transport, received }, method, params) {
  const id = `past the client, ${method} 世界`;
  const from = received.length;
  await transport.send({ jsonrpc: '2.0', id, method, params });
  for (;;) {
    const answer = received.slice(from).find((m) => m.id === id);
    if (answer) {
      return answer;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Closing the server's standard input must end it; the client would send a signal after two seconds. */
export async function timedClose(report, client) {
  await report.check('the server ends when its input does', async () => {
    const start = Date.now();
    await client.close();
    const took = Date.now() - start;
    holds(took < 1900, `it took ${took} ms, so that the client had to end it`);
  });
}
