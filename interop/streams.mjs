// What becomes of single calls, against the fixture, whatever revision the client speaks: what they say while they run,
// what cancels them, and arguments that a client may put into headers, too. adapter: as in surface.mjs, with
//
//   atLevel(level)   parameters of a call that wants log messages of this level and above

import { holds, rejection, same } from './report.mjs';

const mixed = '世界 😀';

export async function streams(report, adapter) {
  await order(report, adapter);
  await levels(report, adapter);
  await cancellation(report, adapter);
  await routes(report, adapter);
}

async function order(report, { call, received, atLevel }) {
  await report.check('fifty steps and their messages arrive in order, before the result', async () => {
    const info = await atLevel('info');
    const from = received.length;
    const result = await call({ name: 'count', arguments: { steps: 50 }, ...info }, { onprogress: () => {} });
    same(result.content[0].text, 'counted 50 世界', 'text');
    const want = [];
    for (let step = 1; step <= 50; step++) {
      want.push(`progress ${step}`);
      if (step % 2 === 0) {
        want.push(`message ${step}`);
      }
    }
    const told = (m) => (m.method === 'notifications/progress' ? `progress ${m.params.progress}` : `message ${m.params?.data?.step}`);
    same(received.slice(from).map((m) => (m.method ? told(m) : 'answer')), [...want, 'answer'], 'order');
  });
  await report.check('eight calls that stream at once keep their progress apart', async () => {
    const seen = Array.from({ length: 8 }, () => []);
    const from = received.length;
    await Promise.all(seen.map((_, i) => call({ name: 'count', arguments: { steps: i + 2 } }, { onprogress: () => {} })));
    const byToken = new Map();
    for (const { method, params } of received.slice(from)) {
      if (method === 'notifications/progress') {
        byToken.set(params.progressToken, [...(byToken.get(params.progressToken) ?? []), params.progress]);
      }
    }
    const counted = [...byToken.values()].sort((a, b) => a.length - b.length);
    same(counted, seen.map((_, i) => Array.from({ length: i + 2 }, (_, n) => n + 1)), 'progress by token');
  });
}

async function levels(report, { call, received, atLevel }) {
  const names = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
  for (const level of ['debug', 'warning', 'emergency']) {
    await report.check(`a client that wants ${level} gets that and what is graver`, async () => {
      const params = await atLevel(level);
      const from = received.length;
      await call({ name: 'levels', arguments: {}, ...params });
      const came = received.slice(from).filter((m) => m.method === 'notifications/message');
      same(came.map((m) => m.params.level), names.slice(names.indexOf(level)), 'levels');
      holds(came.every((m) => m.params.data.message === mixed), `got ${JSON.stringify(came)}`);
    });
  }
  await atLevel('info');
}

async function cancellation(report, { call }) {
  const witness = async () => (await call({ name: 'witness', arguments: {} })).content[0].text;
  for (const stream of [false, true]) {
    await report.check(`cancelling a call that ${stream ? 'streams' : 'has said nothing'} cancels its handler`, async () => {
      const label = `${stream} ${mixed}`;
      const stop = new AbortController();
      const running = call({ name: 'wait', arguments: { label, stream } }, { signal: stop.signal, onprogress: () => {} });
      const outcome = rejection(running, 'cancelled call');
      same(await witness(), `started ${label}`, 'event');
      stop.abort('no longer needed');
      await outcome;
      same(await witness(), `cancelled ${label}`, 'event');
    });
  }
}

async function routes(report, { client, call }) {
  for (const region of ['eu-west', mixed, '', ' padded ', 'tab\tand\nline', '=?base64?5LiW?=', '"quoted", é']) {
    await report.check(`arguments that may travel in headers arrive: ${JSON.stringify(region)}`, async () => {
      await client.listTools(); // where a client learns which arguments those are
      const route = { region, shard: Number.MAX_SAFE_INTEGER, urgent: true, note: mixed };
      const result = await call({ name: 'route', arguments: route });
      same(JSON.parse(result.content[0].text), route, 'route');
    });
  }
  await report.check('arguments that may travel in headers can be left out, or be negative', async () => {
    const route = { region: 'x', shard: -7 };
    same(JSON.parse((await call({ name: 'route', arguments: route })).content[0].text).shard, -7, 'shard');
  });
}
