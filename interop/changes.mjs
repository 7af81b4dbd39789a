// What clients hear without a call of theirs, against the fixture: changes of lists, and resources with new contents.
// Revision 2026-07-28 opens subscriptions for it, older ones have a stream and resources/subscribe. adapter: as in
// surface.mjs, with
//
//   subscribe(uris)   listens to every list and to these resources; resolves to a function that ends it

import { eventually } from './programs.mjs';
import { holds, same } from './report.mjs';

const first = 'fixture://page/first';
const world = 'fixture://page/%E4%B8%96%E7%95%8C';

const lists = [
  ['tools', (client) => client.listTools(), (tool) => tool.name],
  ['prompts', (client) => client.listPrompts(), (prompt) => prompt.name],
  ['resources', (client) => client.listResources(), (resource) => resource.name],
];

export async function changes(report, adapter) {
  await declared(report, adapter);
  await listChanges(report, adapter);
  await updates(report, adapter);
}

async function declared(report, { client }) {
  await report.check('the server promises list changes and subscriptions', async () => {
    const caps = client.getServerCapabilities();
    for (const [name] of lists) {
      same(caps[name]?.listChanged, true, `listChanged of ${name}`);
    }
    same(caps.resources.subscribe, true, 'subscribe');
  });
}

async function listChanges(report, adapter) {
  const { client, call, received } = adapter;
  const end = await report.check('the client listens', () => adapter.subscribe([]));
  for (const [list, fetch, nameOf] of lists) {
    await report.check(`a change of ${list} is told, and the new list fetched`, async () => {
      const entry = { list, name: 'second' };
      for (const [tool, present] of [['put', true], ['drop', false]]) {
        const from = received.length;
        await call({ name: tool, arguments: entry });
        await eventually(() => received.slice(from).some((m) => m.method === `notifications/${list}/list_changed`));
        const names = (await fetch(client))[list].map(nameOf);
        same(names.includes('second'), present, `second is in ${names} after ${tool}`);
      }
    });
  }
  await report.check('nothing is told of what did not change', async () => {
    const from = received.length;
    const result = await call({ name: 'drop', arguments: { list: 'tools', name: 'gone 世界' } });
    holds(result.isError, `got ${JSON.stringify(result)}`);
    await call({ name: 'put', arguments: { list: 'prompts', name: 'third' } });
    await eventually(() => received.slice(from).some((m) => m.method?.endsWith('/list_changed')));
    const told = received.slice(from).filter((m) => m.method?.endsWith('/list_changed')).map((m) => m.method);
    same(told, ['notifications/prompts/list_changed'], 'notifications');
    await call({ name: 'drop', arguments: { list: 'prompts', name: 'third' } });
  });
  await end?.();
}

async function updates(report, adapter) {
  const { call, received } = adapter;
  const update = (uri) => call({ name: 'update', arguments: { uri } });
  const told = (from) => received.slice(from).filter((m) => m.method === 'notifications/resources/updated').map((m) => m.params.uri);
  await report.check('updates of the resources subscribed to are told, and of no others', async () => {
    const end = await adapter.subscribe([world]);
    const from = received.length;
    await update(first);
    await update(world);
    await eventually(() => told(from).length);
    same(told(from), [world], 'updated');
    await end();
  });
  await report.check('nothing is told after the end of a subscription', async () => {
    const ended = await adapter.subscribe([world]);
    await ended();
    const end = await adapter.subscribe([first]);
    const from = received.length;
    await update(world);
    await update(first);
    await eventually(() => told(from).length);
    same(told(from), [first], 'updated');
    await end();
  });
}
