// The official client of the current generation (protocol revision 2026-07-28) against the demo server over stdio:
// once pinned to that revision, and once with the probe that finds out which revision the server speaks; then its
// fulfilment of what results ask for, over stdio and over HTTP.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { askable, asking, withoutUser } from './asking.mjs';
import { demo, observe, past, served, timedClose } from './demo.mjs';
import { Report, same, versionOf } from './report.mjs';
import { surface } from './surface.mjs';

const revision = '2026-07-28';
const envelope = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'interop', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const anyResult = { '~standard': { version: 1, vendor: 'interop', validate: (value) => ({ value }) } };

async function connect(mode) {
  const client = new Client({ name: 'interop-modern', version: '1.0.0' }, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport(demo());
  await client.connect(transport);
  return {
    client,
    transport,
    received: observe(transport),
    call: (params, options) => client.callTool(params, options),
    request: (method, params) => client.request({ method, params }, anyResult),
    asked: { _meta: { 'io.modelcontextprotocol/logLevel': 'info' } },
    missing: -32602,
  };
}

async function run(title, mode) {
  const report = new Report(title);
  let adapter;
  await report.check('the client connects', async () => {
    adapter = await connect(mode);
  });
  if (!adapter) {
    return report.finish();
  }
  await report.check(`the revision is ${revision}`, async () => {
    same(adapter.client.getNegotiatedProtocolVersion(), revision, 'revision');
    same(adapter.client.getProtocolEra(), 'modern', 'era');
  });
  await surface(report, adapter);
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
  await timedClose(report, adapter.client);
  return report.finish();
}

/** A client that can be asked what its capabilities say. */
async function connectAsked(transport, capabilities) {
  const client = new Client({ name: 'interop-asked', version: '1.0.0' }, { capabilities, versionNegotiation: { mode: { pin: revision } } });
  const adapter = { client, call: (params) => client.callTool(params) };
  if (capabilities.elicitation) {
    client.setRequestHandler('elicitation/create', (request) => adapter.user(request.params));
    client.setRequestHandler('sampling/createMessage', (request) => adapter.model(request.params));
    client.setRequestHandler('roots/list', () => adapter.folders());
  }
  await client.connect(transport);
  return adapter;
}

async function runAsking(title, transport) {
  const report = new Report(title);
  const adapter = await connectAsked(transport(), askable);
  await asking(report, adapter);
  const mute = await connectAsked(transport(), {});
  await withoutUser(report, mute, -32021);
  await adapter.client.close();
  await mute.client.close();
  return report.finish();
}

console.log(`node ${process.version}, @modelcontextprotocol/client ${versionOf('@modelcontextprotocol/client')}`);
const outcomes = [await run('modern pinned', { pin: revision }), await run('modern probed', 'auto')];
outcomes.push(await runAsking('modern asking, stdio', () => new StdioClientTransport(demo())));
const { url, stop } = await served();
outcomes.push(await runAsking('modern asking, HTTP', () => new StreamableHTTPClientTransport(url)));
stop();
process.exit(outcomes.every(Boolean) ? 0 : 1);
