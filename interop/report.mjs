// One line a check, a line with the count of each group, and a last one with the total. Knows nothing of the protocol.

import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

/** How long one check may take, in milliseconds. A server that does not answer must not hold up the run. */
const patience = 20_000;

const all = { passed: 0, failed: 0 };

export class Report {
  #title;
  #passed = 0;
  #failed = 0;

  constructor(title) {
    this.#title = title;
  }

  /** Runs one check: fn throws, or its promise rejects, when the rule in name does not hold. Returns what fn does. */
  async check(name, fn) {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no outcome after ${patience} ms`)), patience);
    });
    try {
      const value = await Promise.race([fn(), late]);
      this.#passed++;
      console.log(`ok    ${this.#title}: ${name}`);
      return value;
    } catch (err) {
      this.#failed++;
      console.log(`FAIL  ${this.#title}: ${name}\n      ${err?.message ?? err}`);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Prints the count of the group and adds it to the total. */
  finish() {
    all.passed += this.#passed;
    all.failed += this.#failed;
    console.log(`${this.#failed ? 'FAIL' : 'ok'}    ${this.#title}: ${this.#passed} passed, ${this.#failed} failed`);
  }
}

/** Runs the checks of a group, to its last line even when they break off. */
export async function group(title, checks) {
  const report = new Report(title);
  try {
    await checks(report);
  } catch (err) {
    await report.check('the checks come to their end', () => Promise.reject(err));
  }
  report.finish();
}

/** Prints the total, and returns the exit status. No check at all is a failure. */
export function total() {
  console.log(`total: ${all.passed} passed, ${all.failed} failed`);
  return all.failed || !all.passed ? 1 : 0;
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
