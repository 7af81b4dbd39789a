// The official client of the first generation (the initialize handshake), over stdio and over HTTP, in every revision
// that it knows; and its answers to requests of the server.

import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { askable, asking, withoutUser } from './asking.mjs';
import { changes } from './changes.mjs';
import { connect, connectAsked, overHTTP, overStdio } from './classic_client.mjs';
import { eventually, listening, past, served, timedClose } from './programs.mjs';
import { group, holds, rejection, same, versionOf } from './report.mjs';
import { restarted, sessions } from './sessions.mjs';
import { streams } from './streams.mjs';
import { surface } from './surface.mjs';

/** The revisions of the specification; the client also knows one from before the first. */
const revisions = SUPPORTED_PROTOCOL_VERSIONS.filter((revision) => revision >= '2024-11-05');

/** The demo, with everything that the revision has. */
async function demo(report, transport, revision) {
  const adapter = await report.check('the client connects', () => connect(transport, revision));
  if (!adapter) return;
  const { client } = adapter;
  await report.check(`the revision is the one offered, ${revision}`, async () => {
    same(adapter.revision, revision, 'revision');
  });
  await report.check('ping is answered', async () => {
    same(await client.ping(), {}, 'result');
  });
  await surface(report, adapter);
  await report.check('results carry nothing of newer revisions', async () => {
    const results = adapter.received.filter((m) => m.result).map((m) => m.result);
    for (const result of results) {
      for (const member of ['resultType', 'ttlMs', 'cacheScope']) {
        holds(!(member in result), `a result has ${member}`);
      }
    }
  });
  await report.check('server/discover, which the revision does not have, is -32601', async () => {
    const answer = await past(adapter, 'server/discover', {});
    same(answer.error?.code, -32601, 'code');
  });
  if (transport.exchanges) {
    await client.close();
  } else {
    await timedClose(report, client);
  }
}

/** The fixture over one transport, which is a new one for each client. */
async function fixture(report, open, revision) {
  const adapter = await report.check('the client connects', () => connect(open(), revision));
  if (!adapter) return;
  await streams(report, adapter);
  await changes(report, adapter);
  await adapter.client.close();
  await report.check('a client that wants new lists gets them', async () => {
    const lists = [];
    const onChanged = (_, tools) => lists.push(tools?.map((tool) => tool.name) ?? []);
    const refreshing = await connect(open(), revision, { listChanged: { tools: { onChanged, debounceMs: 0 } } });
    await listening(refreshing.transport);
    await refreshing.call({ name: 'put', arguments: { list: 'tools', name: 'refreshed' } });
    await eventually(() => lists.some((names) => names.includes('refreshed')));
    await refreshing.call({ name: 'drop', arguments: { list: 'tools', name: 'refreshed' } });
    await refreshing.client.close();
  });
}

/** What only requests of the server have: errors as answers, and being taken back. */
async function bridge(report, adapter) {
  const { call } = adapter;
  await report.check('an error of the client is told in band', async () => {
    adapter.user = () => {
      throw new Error('no screen 世界');
    };
    const result = await call({ name: 'greet_user', arguments: {} });
    holds(result.isError && result.content[0].text.includes('no screen 世界'), `got ${JSON.stringify(result)}`);
  });
  await report.check('an answer that does not fit is asked for again', async () => {
    let again;
    adapter.user = ({ message }) => {
      again = message.includes('could not be used');
      return { action: 'accept', content: again ? { name: 'Ann' } : { name: 5 } };
    };
    same((await call({ name: 'greet_user', arguments: {} })).content[0].text, 'Hello, Ann!', 'text');
    holds(again, 'it was not asked again');
  });
  await report.check('a cancelled call takes its question back', async () => {
    const stop = new AbortController();
    const takenBack = new Promise((resolve) => {
      adapter.user = (_, { signal }) => {
        signal.addEventListener('abort', resolve);
        stop.abort('no longer needed');
        return new Promise(() => {});
      };
    });
    await rejection(call({ name: 'greet_user', arguments: {} }, { signal: stop.signal }), 'cancelled call');
    await takenBack;
  });
}

async function askingDemo(report, open) {
  const adapter = await connectAsked(open(), askable);
  await asking(report, adapter);
  await bridge(report, adapter);
  const mute = await connectAsked(open(), {});
  await withoutUser(report, mute);
  await adapter.client.close();
  await mute.client.close();
}

export async function classic() {
  console.log(`node ${process.version}, @modelcontextprotocol/sdk ${versionOf('@modelcontextprotocol/sdk')}`);
  const servers = { demo: await served('demo'), fixture: await served('fixture') };
  for (const [name, open] of [['stdio', overStdio], ['HTTP', (program) => overHTTP(servers[program].url)]]) {
    for (const revision of revisions) {
      await group(`classic ${revision}, ${name}`, (report) => demo(report, open('demo'), revision));
      await group(`classic ${revision}, ${name}, fixture`, (report) => fixture(report, () => open('fixture'), revision));
    }
    await group(`classic asking, ${name}`, (report) => askingDemo(report, () => open('demo')));
  }
  for (const revision of revisions) {
    await group(`classic ${revision}, sessions`, (report) => sessions(report, servers.fixture.url, revision));
  }
  await group('classic restart, HTTP', (report) => restarted(report, LATEST_PROTOCOL_VERSION));
  await Promise.all([servers.demo.stop(), servers.fixture.stop()]);
}
