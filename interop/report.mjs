// One line a check, a last line with the count, and the exit status. Knows nothing of the protocol.

import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

/** How long one check may take, in milliseconds. A server that does not answer must not hold up the run. */
const patience = 20_000;

export class Report {
  #title;
  #passed = 0;
  #failed = 0;

  constructor(title) {
    this.#title = title;
  }

  /** Runs one check: fn throws, or its promise rejects, when the rule in name does not hold. */
  async check(name, fn) {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no outcome after ${patience} ms`)), patience);
    });
    try {
      await Promise.race([fn(), late]);
      this.#passed++;
      console.log(`ok    ${this.#title}: ${name}`);
    } catch (err) {
      this.#failed++;
      console.log(`FAIL  ${this.#title}: ${name}\n      ${err?.message ?? err}`);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Prints the last line and returns whether every check passed. */
  finish() {
    console.log(`${this.#failed ? 'FAIL' : 'ok'}    ${this.#title}: ${this.#passed} passed, ${this.#failed} failed`);
    return this.#failed === 0;
  }
}

/** The version of an installed package, as npm installed it. */
export function versionOf(name) {
  return JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), 'utf8')).version;
}

export function same(got, want, what = 'value') {
  if (!isDeepStrictEqual(got, want)) {
    throw new Error(`${what}: got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
  }
}

export function holds(condition, what) {
  if (!condition) {
    throw new Error(what);
  }
}

/** Waits for a promise that must reject, and returns what it rejected with. */
export async function rejection(promise, what) {
  let value;
  try {
    value = await promise;
  } catch (err) {
    return err;
  }
  throw new Error(`${what}: got ${JSON.stringify(value)}, want an error`);
}
