// The official client of the current generation, over stdio and over HTTP: pinned to revision 2026-07-28, with the probe
// that finds out what the server speaks, and as it is without options, which is the initialize handshake.

import { askable, asking, withoutUser } from './asking.mjs';
import { changes } from './changes.mjs';
import { connect, connectAsked, modes, overHTTP, overStdio, revision } from './modern_client.mjs';
import { end, exchanged, subscriptions } from './modern_only.mjs';
import { eventually, listening, past, served, timedClose } from './programs.mjs';
import { group, same, versionOf } from './report.mjs';
import { streams } from './streams.mjs';
import { surface } from './surface.mjs';

const envelope = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'interop', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The demo, with everything that the revision has. */
async function demo(report, transport, mode) {
  const adapter = await report.check('the client connects', () => connect(transport, mode));
  if (!adapter) return;
  if (mode === 'legacy') {
    await report.check('the handshake was that of the older revisions', async () => {
      same([adapter.client.getProtocolEra(), adapter.revision], ['legacy', '2025-11-25'], 'era and revision');
    });
    await surface(report, adapter);
  } else {
    await report.check(`the revision is ${revision}`, async () => {
      same([adapter.client.getProtocolEra(), adapter.revision], ['modern', revision], 'era and revision');
    });
    await surface(report, adapter);
    await stamps(report, adapter);
    await refusals(report, adapter);
  }
  if (!transport.exchanges) {
    await timedClose(report, adapter.client);
  } else {
    await adapter.client.close();
  }
}

async function stamps(report, adapter) {
  await report.check('no log message comes when none was asked for', async () => {
    const from = adapter.received.length;
    await adapter.call({ name: 'echo', arguments: { message: 'quiet' } });
    same(adapter.received.slice(from).filter((m) => m.method), [], 'notifications');
  });
  await report.check('every result says that it is complete and who sent it', async () => {
    const results = adapter.received.filter((m) => m.result).map((m) => m.result);
    for (const result of results) {
      same(result.resultType, 'complete', 'resultType');
      same(result._meta?.['io.modelcontextprotocol/serverInfo']?.name, 'bowline-demo', 'serverInfo');
    }
  });
}

async function refusals(report, adapter) {
  for (const method of ['ping', 'logging/setLevel', 'resources/subscribe']) {
    await report.check(`${method}, which the revision does not have, is -32601`, async () => {
      const answer = await past(adapter, method, { _meta: envelope });
      same(answer.error?.code, -32601, 'code');
    });
  }
  await report.check('a revision that does not exist is -32022, with those that do', async () => {
    const _meta = { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const { error } = await past(adapter, 'tools/list', { _meta });
    same([error?.code, error?.data?.supported], [-32022, [revision]], 'error');
  });
  await report.check('a request of neither era is -32602', async () => {
    const { error } = await past(adapter, 'prompts/list', {});
    same(error?.code, -32602, 'code');
  });
}

/** The fixture over one transport, which is a new one for each client. */
async function fixture(report, open, mode) {
  const adapter = await report.check('the client connects', () => connect(open(), mode));
  if (!adapter) return;
  await streams(report, adapter);
  await changes(report, adapter);
  await adapter.client.close();
  await report.check('a client that wants new lists gets them', async () => {
    const lists = [];
    const onChanged = (_, tools) => lists.push(tools?.map((tool) => tool.name) ?? []);
    const refreshing = await connect(open(), mode, { listChanged: { tools: { onChanged, debounceMs: 0 } } });
    if (refreshing.revision !== revision) {
      await listening(refreshing.transport);
    }
    await refreshing.call({ name: 'put', arguments: { list: 'tools', name: 'refreshed' } });
    await eventually(() => lists.some((names) => names.includes('refreshed')));
    await refreshing.call({ name: 'drop', arguments: { list: 'tools', name: 'refreshed' } });
    await refreshing.client.close();
  });
}

async function askingDemo(report, open) {
  const adapter = await connectAsked(open(), askable);
  await asking(report, adapter);
  const mute = await connectAsked(open(), {});
  await withoutUser(report, mute, -32021);
  await adapter.client.close();
  await mute.client.close();
}

export async function modern() {
  console.log(`node ${process.version}, @modelcontextprotocol/client ${versionOf('@modelcontextprotocol/client')}`);
  const servers = { demo: await served('demo'), fixture: await served('fixture') };
  for (const [name, open] of [['stdio', overStdio], ['HTTP', (program) => overHTTP(servers[program].url)]]) {
    for (const [title, mode] of Object.entries(modes)) {
      await group(`modern ${title}, ${name}`, (report) => demo(report, open('demo'), mode));
      await group(`modern ${title}, ${name}, fixture`, (report) => fixture(report, () => open('fixture'), mode));
    }
    await group(`modern asking, ${name}`, (report) => askingDemo(report, () => open('demo')));
    await group(`modern subscriptions, ${name}`, (report) => subscriptions(report, () => connect(open('fixture'), modes.pinned)));
  }
  await group('modern exchanges, HTTP', (report) => exchanged(report, servers.fixture.url));
  await group('modern end, HTTP', (report) => end(report, servers));
}
