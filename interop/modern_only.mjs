// What only revision 2026-07-28 has: subscriptions, arguments in headers, and HTTP without sessions. Against the fixture.

import { connect, modes, overHTTP } from './modern_client.mjs';
import { eventually } from './programs.mjs';
import { holds, rejection, same } from './report.mjs';

const page = 'fixture://page/%E4%B8%96%E7%95%8C';
const subscriptionOf = (m) => m.params?._meta?.['io.modelcontextprotocol/subscriptionId'];

/** open connects a client. Over stdio each has a server of its own. */
export async function subscriptions(report, open) {
  const adapter = await open();
  const { client, call, received } = adapter;
  const told = (from, method) => received.slice(from).filter((m) => m.method === `notifications/${method}`);
  await report.check('the server says what of a subscription it honours', async () => {
    const filter = { toolsListChanged: true, resourceSubscriptions: [page] };
    const subscription = await client.listen(filter);
    same(subscription.honoredFilter, filter, 'filter');
    await subscription.close();
    same(await subscription.closed, 'local', 'end');
  });
  await report.check('two subscriptions hear of what each has asked for, under ids of their own', async () => {
    const from = received.length;
    const [one, two] = [await client.listen({ toolsListChanged: true }), await client.listen({ toolsListChanged: true, resourceSubscriptions: [page] })];
    await call({ name: 'put', arguments: { list: 'tools', name: 'twice' } });
    await call({ name: 'update', arguments: { uri: page } });
    await eventually(() => told(from, 'tools/list_changed').length === 2 && told(from, 'resources/updated').length === 1);
    const ids = told(from, 'tools/list_changed').map(subscriptionOf);
    holds(ids[0] && ids[1] && ids[0] !== ids[1], `the ids are ${ids}`);
    holds(ids.includes(subscriptionOf(told(from, 'resources/updated')[0])), 'the update belongs to neither');
    await one.close();
    await call({ name: 'drop', arguments: { list: 'tools', name: 'twice' } });
    await eventually(() => told(from, 'tools/list_changed').length === 3);
    await two.close();
  });
  await report.check('nothing is told to a client that has not subscribed', async () => {
    const from = received.length;
    await call({ name: 'put', arguments: { list: 'prompts', name: 'unheard' } });
    await call({ name: 'drop', arguments: { list: 'prompts', name: 'unheard' } });
    await call({ name: 'update', arguments: { uri: page } });
    same(received.slice(from).filter((m) => m.method), [], 'notifications');
  });
  await report.check('a hundred updates reach a subscriber as one or more, and calls go on', async () => {
    const from = received.length;
    const subscription = await client.listen({ resourceSubscriptions: [page] });
    await Promise.all(Array.from({ length: 100 }, () => call({ name: 'update', arguments: { uri: page } })));
    await eventually(() => told(from, 'resources/updated').length);
    holds(told(from, 'resources/updated').length <= 100, 'more came than were made');
    await subscription.close();
  });
  if (!adapter.transport.exchanges) {
    await report.check('a server that is told to end ends its subscriptions first', async () => {
      const subscription = await client.listen({ toolsListChanged: true });
      process.kill(adapter.transport.pid, 'SIGTERM');
      same(await subscription.closed, 'graceful', 'end');
    });
  }
  await client.close();
}

/** What goes over the wire. */
export async function exchanged(report, url) {
  const { client, call, transport } = await connect(overHTTP(url), modes.pinned);
  const last = (method) => transport.exchanges.findLast((e) => e.sent.get('mcp-method') === method);
  await parameters(report, { client, call, last });
  await report.check('a result alone is JSON, one with notifications an event stream', async () => {
    await call({ name: 'route', arguments: { region: '世界', shard: 1 } });
    same(last('tools/call').got.get('content-type'), 'application/json', 'content type');
    await call({ name: 'count', arguments: { steps: 2 } }, { onprogress: () => {} });
    same(last('tools/call').got.get('content-type'), 'text/event-stream', 'content type');
    same(last('tools/call').got.get('x-accel-buffering'), 'no', 'X-Accel-Buffering');
  });
  await report.check('no answer begins a session, and none was asked for', async () => {
    const { exchanges } = transport;
    holds(exchanges.every((e) => e.method === 'POST' && !e.sent.has('mcp-session-id')), 'the client has used a session');
    holds(exchanges.every((e) => !e.got?.has('mcp-session-id')), 'an answer has Mcp-Session-Id');
  });
  await client.close();
  await mismatch(report, url);
}

async function parameters(report, { client, call, last }) {
  await report.check('the client puts arguments into headers, encoded where they are not plain', async () => {
    await client.listTools();
    await call({ name: 'route', arguments: { region: '世界 😀', shard: 12, urgent: false } });
    const encoded = `=?base64?${Buffer.from('世界 😀').toString('base64')}?=`;
    const headers = ['region', 'shard', 'urgent'].map((name) => last('tools/call').sent.get(`mcp-param-${name}`));
    same([...headers, last('tools/call').status], [encoded, '12', 'false', 200], 'headers and status');
  });
  await report.check('names that are not plain travel in headers, too', async () => {
    const uri = 'fixture://page/世界';
    const err = await rejection(client.readResource({ uri }), 'unknown resource');
    same(err.code, -32602, 'code');
    same(last('resources/read').sent.get('mcp-name'), `=?base64?${Buffer.from(uri).toString('base64')}?=`, 'Mcp-Name');
  });
}

async function mismatch(report, url) {
  await report.check('a client that did not know of the headers is told, fetches the list and succeeds', async () => {
    const fresh = await connect(overHTTP(url), modes.pinned);
    const result = await fresh.call({ name: 'route', arguments: { region: '世界', shard: 3 } });
    same(JSON.parse(result.content[0].text).region, '世界', 'region');
    same(fresh.transport.exchanges.filter((e) => e.sent.get('mcp-method') === 'tools/call').map((e) => e.status), [400, 200], 'statuses');
    await fresh.client.close();
  });
  await report.check('a header that says something else than the argument is -32020', async () => {
    const transport = overHTTP(url, (headers) => headers.has('mcp-param-shard') && headers.set('mcp-param-shard', '4'));
    const { client, call } = await connect(transport, modes.pinned);
    await client.listTools();
    const err = await rejection(call({ name: 'route', arguments: { region: '世界', shard: 3 } }), 'wrong header');
    same(err.code, -32020, 'code');
    await client.close();
  });
}

/** Ends the servers, while a client listens. */
export async function end(report, servers) {
  await report.check('a server that is told to end ends its subscriptions first, and leaves with 0', async () => {
    const { client } = await connect(overHTTP(servers.fixture.url), modes.pinned);
    const subscription = await client.listen({ toolsListChanged: true });
    const ended = servers.fixture.stop();
    same(await subscription.closed, 'graceful', 'end');
    same(await ended, 0, 'exit status');
    await client.close();
  });
  await report.check('a server without clients ends with 0', async () => {
    same(await servers.demo.stop(), 0, 'exit status');
  });
}
