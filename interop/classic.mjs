// The official client of the first generation (the initialize handshake) against the demo server over stdio; then its
// answers to requests of the server, over stdio and over HTTP.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema, LATEST_PROTOCOL_VERSION, ListRootsRequestSchema, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { askable, asking, withoutUser } from './asking.mjs';
import { demo, observe, past, served, timedClose } from './demo.mjs';
import { Report, holds, rejection, same, versionOf } from './report.mjs';
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

/** A client that answers requests of the server, as far as its capabilities say so. */
async function connectAsked(transport, capabilities) {
  const client = new Client({ name: 'interop-asked', version: '1.0.0' }, { capabilities });
  const adapter = { client, call: (params, options) => client.callTool(params, undefined, options) };
  if (capabilities.elicitation) {
    client.setRequestHandler(ElicitRequestSchema, (request, extra) => adapter.user(request.params, extra));
    client.setRequestHandler(CreateMessageRequestSchema, (request) => adapter.model(request.params));
    client.setRequestHandler(ListRootsRequestSchema, () => adapter.folders());
  }
  await client.connect(transport);
  return adapter;
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

async function runAsking(title, transport) {
  const report = new Report(title);
  const adapter = await connectAsked(transport(), askable);
  await asking(report, adapter);
  await bridge(report, adapter);
  const mute = await connectAsked(transport(), {});
  await withoutUser(report, mute);
  await adapter.client.close();
  await mute.client.close();
  return report.finish();
}

console.log(`node ${process.version}, @modelcontextprotocol/sdk ${versionOf('@modelcontextprotocol/sdk')}`);
const outcomes = [await run('classic')];
outcomes.push(await runAsking('classic asking, stdio', () => new StdioClientTransport(demo())));
const { url, stop } = await served();
outcomes.push(await runAsking('classic asking, HTTP', () => new StreamableHTTPClientTransport(url)));
stop();
process.exit(outcomes.every(Boolean) ? 0 : 1);
