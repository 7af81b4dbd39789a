// How the scripts start the programs under test and watch what they send.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { holds } from './report.mjs';

const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Where run.sh has built the programs. */
function built(name) {
  const folder = process.argv[2];
  if (!folder) {
    console.error('usage: node run.mjs <folder with the programs demo and fixture> [modern] [classic]');
    process.exit(2);
  }
  return join(folder, name);
}

/** How a client starts a program of ours on standard input and output. */
export function onStdio(name) {
  return { command: built(name), args: [], stderr: 'inherit' };
}

/** Starts a program of ours on HTTP, on a free port unless there is one in options; key seals its sessions. */
export async function served(name, { port = 0, key = '' } = {}) {
  const args = ['-http', `127.0.0.1:${port}`];
  if (key) {
    args.push('-key', key);
  }
  const child = spawn(built(name), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
  running.add(child);
  ended.then(() => running.delete(child));
  for await (const line of createInterface({ input: child.stderr })) {
    const url = line.match(/http:\S+/)?.[0];
    if (url) {
      child.stderr.resume();
      const stop = () => {
        child.kill('SIGINT');
        return ended;
      };
      return { url: new URL(url), stop };
    }
  }
  throw new Error(`${name} does not say where it listens`);
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

/** A fetch that notes what went over the wire. alter may change the headers of a request before it goes out. */
export function recorder(alter = () => {}) {
  const exchanges = [];
  const recording = async (url, init) => {
    const sent = new Headers(init?.headers);
    alter(sent);
    const exchange = { method: init?.method ?? 'GET', sent };
    exchanges.push(exchange);
    const response = await fetch(url, { ...init, headers: sent });
    exchange.status = response.status;
    exchange.got = response.headers;
    return response;
  };
  return { exchanges, fetch: recording };
}

/** Waits until the stream is open on which an older revision over HTTP tells what belongs to no call. */
export async function listening({ exchanges }) {
  if (exchanges) {
    await eventually(() => exchanges.some((e) => e.method === 'GET' && e.status === 200));
  }
}

/** Waits until condition returns something, and returns that. The check around it has a time limit. */
export async function eventually(condition) {
  for (;;) {
    const value = condition();
    if (value) {
      return value;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Sends a request that the client would not send, past the client, and returns the whole answer. */
export async function past({ transport, received }, method, params) {
  const id = `past the client, ${method} 世界`;
  const from = received.length;
  try {
    await transport.send({ jsonrpc: '2.0', id, method, params });
  } catch (err) {
    return JSON.parse(refusalOf(err));
  }
  return eventually(() => received.slice(from).find((m) => m.id === id));
}

/** The code of the error that the server answered; some clients keep it in the body of a refused HTTP request. */
export function codeOf(err) {
  return typeof err.code === 'number' && err.code < -32000 ? err.code : JSON.parse(refusalOf(err)).error.code;
}

function refusalOf(err) {
  const body = err.data?.text ?? String(err.message).match(/\{.*\}$/s)?.[0];
  holds(body, `no answer in: ${err.message}`);
  return body;
}

/** Ends the client; closing the server's standard input must end it, before the client's signal after two seconds. */
export async function timedClose(report, client) {
  await report.check('the server ends when its input does', async () => {
    const start = Date.now();
    await client.close();
    const took = Date.now() - start;
    holds(took < 1900, `it took ${took} ms, so that the client had to end it`);
  });
}
