// What only the older revisions have over HTTP: sessions, their stream, and streams that are resumed. Against the fixture.

import { connect, overHTTP } from './classic_client.mjs';
import { eventually, listening, served } from './programs.mjs';
import { holds, rejection, same } from './report.mjs';

const key = '00112233445566778899aabbccddeeff';

export async function sessions(report, url, revision) {
  const adapter = await report.check('the handshake begins a session', async () => {
    const connected = await connect(overHTTP(url), revision);
    same(connected.revision, revision, 'revision');
    holds(/^[\x21-\x7e]+$/.test(connected.transport.sessionId), `the id is ${connected.transport.sessionId}`);
    return connected;
  });
  if (!adapter) return;
  const other = await connect(overHTTP(url), revision);
  await apart(report, adapter, other);
  await resumed(report, adapter);
  await terminated(report, url, adapter, other);
  await other.client.close();
}

async function apart(report, adapter, other) {
  await report.check('the session has an event stream of its own', async () => {
    await listening(adapter.transport);
    const stream = adapter.transport.exchanges.find((e) => e.method === 'GET');
    same(stream.got.get('content-type'), 'text/event-stream', 'content type');
    same(stream.sent.get('mcp-session-id'), adapter.transport.sessionId, 'session');
  });
  await report.check('two sessions are apart: ids, log levels and subscriptions', async () => {
    holds(adapter.transport.sessionId !== other.transport.sessionId, 'they have one id');
    await adapter.atLevel('emergency');
    const end = await adapter.subscribe(['fixture://page/first']);
    const from = other.received.length;
    await other.call({ name: 'levels', arguments: {} });
    const logs = other.received.slice(from).filter((m) => m.method === 'notifications/message').length;
    same(logs, 7, 'messages from info upwards');
    const mine = adapter.received.length;
    await other.call({ name: 'update', arguments: { uri: 'fixture://page/first' } });
    await eventually(() => adapter.received.slice(mine).some((m) => m.method === 'notifications/resources/updated'));
    same(other.received.slice(from).filter((m) => m.method === 'notifications/resources/updated'), [], 'updates of the other');
    await end();
  });
}

async function resumed(report, { call, received, transport, revision }) {
  const lets = revision >= '2025-11-25';
  await report.check(lets ? 'a call that lets go of its connection is resumed, and nothing is lost' : 'a call never lets go of its connection', async () => {
    const from = received.length;
    const result = await call({ name: 'reconnect', arguments: {} }, { onprogress: () => {} });
    same(result.content[0].text, 'back again 世界', 'text');
    const progress = received.slice(from).filter((m) => m.method === 'notifications/progress').map((m) => m.params.progress);
    same(progress, [1, 2], 'progress');
    const back = transport.exchanges.filter((e) => e.sent.has('last-event-id'));
    same(back.map((e) => e.status), lets ? [200] : [], 'statuses of resumptions');
  });
}

async function terminated(report, url, { client, transport }, other) {
  const id = transport.sessionId;
  await report.check('DELETE ends the session, and its stream', async () => {
    await transport.terminateSession();
    same(transport.exchanges.at(-1).method, 'DELETE', 'method');
    holds(transport.exchanges.at(-1).status < 300, `status ${transport.exchanges.at(-1).status}`);
    await client.close();
  });
  for (const [what, session] of [['ended', id], ['unknown', 'no-such-session']]) {
    await report.check(`requests of an ${what} session are 404`, async () => {
      const late = await connect(overHTTP(url, session), '');
      const err = await rejection(late.client.ping(), 'ping');
      same(err.code, 404, 'status');
      const err2 = await rejection(late.transport.resumeStream('1'), 'resumption');
      same(err2.code, 404, 'status of GET');
      await late.client.close();
    });
  }
  await report.check('another session goes on', async () => {
    same(await other.client.ping(), {}, 'result');
  });
}

/** A handshake is good for another process with the same key. */
export async function restarted(report, revision) {
  await report.check('a session outlives the server, where there is a key', async () => {
    const first = await served('fixture', { key });
    const { client, call, transport } = await connect(overHTTP(first.url), revision);
    await listening(transport);
    same(await first.stop(), 0, 'exit status, with a stream open');
    const second = await served('fixture', { key, port: first.url.port });
    same((await call({ name: 'count', arguments: { steps: 2 } })).content[0].text, 'counted 2 世界', 'text');
    await transport.terminateSession();
    await client.close();
    await second.stop();
  });
}
