// The official client of the first generation (the initialize handshake) against the demo server over stdio.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { LATEST_PROTOCOL_VERSION, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { demo, observe, past, timedClose } from './demo.mjs';
import { Report, holds, same, versionOf } from './report.mjs';
import { surface } from './surface.mjs';

async function connect() {
  const client = new Client({ name: 'interop-classic', version: '1.0.0' });
  const transport = new StdioClientTransport(demo());
  let revision;
  transport.setProtocolVersion = (version) => {
    revision = version;
  };
  await client.connect(transport);
  return {
    client,
    transport,
    revision,
    received: observe(transport),
    call: (params, options) => client.callTool(params, undefined, options),
    request: (method, params) => client.request({ method, params }, ResultSchema),
    asked: {},
    missing: -32002,
  };
}

async function run(title) {
  const report = new Report(title);
  let adapter;
  await report.check('the client connects', async () => {
    adapter = await connect();
  });
  if (!adapter) {
    return report.finish();
  }
  const { client } = adapter;
  await report.check(`the revision is the newest that the client knows, ${LATEST_PROTOCOL_VERSION}`, async () => {
    same(adapter.revision, LATEST_PROTOCOL_VERSION, 'revision');
  });
  await report.check('ping is answered', async () => {
    same(await client.ping(), {}, 'result');
  });
  await report.check('log messages below the level stay away', async () => {
    await client.setLoggingLevel('error');
    const from = adapter.received.length;
    await adapter.call({ name: 'echo', arguments: { message: 'quiet' } });
    same(adapter.received.slice(from).filter((m) => m.method), [], 'notifications');
    await client.setLoggingLevel('info');
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
  await timedClose(report, client);
  return report.finish();
}

console.log(`node ${process.version}, @modelcontextprotocol/sdk ${versionOf('@modelcontextprotocol/sdk')}`);
process.exit((await run('classic')) ? 0 : 1);
