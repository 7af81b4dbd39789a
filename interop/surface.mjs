// What every client must find in the demo server, whatever revision it speaks. An adapter hides what differs between
// the two generations of the client library; see modern.mjs and classic.mjs.
//
// adapter: {
//   client                    the connected official client
//   revision                  the revision that it and the server speak
//   call(params, options)     tools/call
//   request(method, params)   any request; resolves to the result
//   asked                     _meta of a request that wants log messages (empty where a level is set once)
//   received                  every message that came from the server, in order
//   missing                   the error code of a resource that does not exist
// }

import { codeOf } from './programs.mjs';
import { holds, rejection, same } from './report.mjs';

const mixed = 'héllo 世界 😀';

export async function surface(report, adapter) {
  await identity(report, adapter);
  await tools(report, adapter);
  await notifications(report, adapter);
  await cancellation(report, adapter);
  await prompts(report, adapter);
  await resources(report, adapter);
  await completions(report, adapter);
  await mistakes(report, adapter);
  await report.check('a server whose registry is fixed announces no change', async () => {
    const changes = adapter.received.filter((m) => m.method?.endsWith('/list_changed'));
    same(changes, [], 'list changes');
  });
}

async function identity(report, { client, revision }) {
  await report.check('the server says who it is', async () => {
    const info = client.getServerVersion();
    same(info?.name, 'bowline-demo', 'name');
    holds(info.version, 'the server has no version');
  });
  await report.check('the server gives instructions', async () => {
    holds(client.getInstructions()?.length > 0, 'no instructions');
  });
  await report.check('the server declares what it has, and no list changes', async () => {
    const caps = client.getServerCapabilities();
    const names = ['tools', 'prompts', 'resources', 'logging'];
    if (revision >= '2025-03-26') {
      names.push('completions');
    }
    for (const name of names) {
      holds(caps?.[name], `capability ${name} is not declared`);
      holds(!caps[name].listChanged, `capability ${name} promises list changes`);
    }
  });
}

async function tools(report, { client, call, revision }) {
  const structured = revision >= '2025-06-18';
  await report.check('tools are listed in the order of registration', async () => {
    const { tools } = await client.listTools();
    same(tools.map((t) => t.name), ['echo', 'add', 'picture', 'fail', 'slow', 'greet_user', 'delete_note', 'plan_trip', 'summarize', 'list_roots'], 'names');
  });
  await report.check('a tool carries its schemas, title and hints', async () => {
    const { tools } = await client.listTools();
    const add = tools.find((t) => t.name === 'add');
    same(add.inputSchema.type, 'object', 'inputSchema.type');
    same(add.inputSchema.required, ['a', 'b'], 'inputSchema.required');
    same(add.outputSchema?.properties?.sum?.type, structured ? 'number' : undefined, 'type of sum in outputSchema');
    const hints = revision >= '2025-03-26';
    same(add.title ?? add.annotations?.title, hints ? 'Adder' : undefined, 'title');
    same(add.annotations?.readOnlyHint, hints || undefined, 'readOnlyHint');
    same(add.annotations?.idempotentHint, hints || undefined, 'idempotentHint');
  });
  for (const text of ['hello', mixed, '', 'line\nbreak\t"quoted" \\ \u2028 \u0000', '世界'.repeat(40_000)]) {
    const shown = text.length > 40 ? `${text.length} characters` : JSON.stringify(text);
    await report.check(`echo returns ${shown}`, async () => {
      const result = await call({ name: 'echo', arguments: { message: text } });
      holds(result.content[0].text === text, `got ${JSON.stringify(result.content).slice(0, 200)}`);
      holds(!result.isError, 'isError is set');
    });
  }
  await report.check(structured ? 'add returns structured content, and the same as text' : 'add returns text alone', async () => {
    const result = await call({ name: 'add', arguments: { a: 2, b: 0.5 } });
    same(result.structuredContent, structured ? { sum: 2.5 } : undefined, 'structuredContent');
    holds(result.content[0].text.includes('2.5'), `got ${JSON.stringify(result.content)}`);
  });
  await report.check('picture returns a PNG image', async () => {
    const { content } = await call({ name: 'picture', arguments: { size: 16 } });
    same([content[0].type, content[0].mimeType], ['image', 'image/png'], 'block');
    const bytes = Buffer.from(content[0].data, 'base64');
    same(bytes.subarray(0, 8).toString('hex'), '89504e470d0a1a0a', 'signature');
    same(bytes.toString('base64'), content[0].data, 'base64 is canonical');
  });
  await report.check('picture works without its optional argument', async () => {
    const { content } = await call({ name: 'picture', arguments: {} });
    same(content[0].type, 'image', 'block type');
  });
  await report.check('a failing tool answers in band', async () => {
    const result = await call({ name: 'fail', arguments: { message: `broken ${mixed}` } });
    same(result.isError, true, 'isError');
    holds(result.content[0].text.includes(`broken ${mixed}`), `got ${JSON.stringify(result.content)}`);
  });
  await report.check('64 calls at once get 64 answers, each its own', async () => {
    const numbers = Array.from({ length: 64 }, (_, i) => i);
    const results = await Promise.all(numbers.map((i) => call({ name: 'echo', arguments: { message: `${i} 世界` } })));
    same(results.map((r) => r.content[0].text), numbers.map((i) => `${i} 世界`), 'texts');
  });
}

async function notifications(report, { call, received, asked, revision }) {
  await report.check('progress arrives in order and before the result', async () => {
    // What came is looked at, not what onprogress was told: the clients forget the callback when the answer stands in
    // the same chunk of input as the notification.
    const from = received.length;
    await call({ name: 'echo', arguments: { message: mixed } }, { onprogress: () => {} });
    const came = received.slice(from).filter((m) => m.method !== 'notifications/message');
    same(came.map((m) => m.method ?? 'answer'), ['notifications/progress', 'notifications/progress', 'answer'], 'order');
    same(came.slice(0, 2).map((m) => [m.params.progress, m.params.total]), [[0.5, 1], [1, 1]], 'progress');
    const message = revision >= '2025-03-26' ? 'echoing' : undefined;
    same(came.slice(0, 2).map((m) => m.params.message), [message, message], 'messages');
  });
  await report.check('no progress comes when none was asked for', async () => {
    const from = received.length;
    await call({ name: 'echo', arguments: { message: mixed } });
    const stray = received.slice(from).filter((m) => m.method === 'notifications/progress');
    same(stray, [], 'progress');
  });
  await report.check('a slow tool reports while it runs', async () => {
    const seen = [];
    await call({ name: 'slow', arguments: { seconds: 2 } }, { onprogress: (p) => seen.push(p.progress) });
    holds(seen.length > 0, 'no progress');
    holds(seen.every((p, i) => i === 0 || p > seen[i - 1]), `progress does not increase: ${seen}`);
  });
  await report.check('log messages come when they were asked for', async () => {
    const from = received.length;
    await call({ name: 'echo', arguments: { message: 'log' }, ...asked });
    const logs = received.slice(from).filter((m) => m.method === 'notifications/message');
    same(logs.length, 1, 'number of messages');
    same(logs[0].params.level, 'info', 'level');
    holds(JSON.stringify(logs[0].params.data).includes('echo invoked'), `got ${JSON.stringify(logs[0].params)}`);
  });
}

async function cancellation(report, { call, received }) {
  const slow = { name: 'slow', arguments: { seconds: 15 } };
  const echo = async () => {
    const result = await call({ name: 'echo', arguments: { message: 'still here' } });
    same(result.content[0].text, 'still here', 'text');
  };
  await report.check('a call can be cancelled, and is not answered afterwards', async () => {
    const from = received.length;
    const stop = new AbortController();
    const running = call(slow, { signal: stop.signal });
    await echo();
    stop.abort('no longer needed');
    await rejection(running, 'cancelled call');
    await echo();
    const answers = received.slice(from).filter((m) => m.id !== undefined);
    same(answers.length, 2, 'number of answers');
  });
  await report.check('a call that runs into the client\'s timeout leaves the server in order', async () => {
    const err = await rejection(call(slow, { timeout: 100 }), 'call with a short timeout');
    holds(/timed? ?out/i.test(String(err.message)), `got ${err.message}`);
    await echo();
  });
}

async function prompts(report, { client }) {
  await report.check('prompts are listed with their arguments', async () => {
    const { prompts } = await client.listPrompts();
    same(prompts.map((p) => p.name), ['greet'], 'names');
    same(prompts[0].arguments.map((a) => [a.name, a.required ?? false]), [['name', true], ['style', false]], 'arguments');
  });
  await report.check('a prompt is filled in', async () => {
    const result = await client.getPrompt({ name: 'greet', arguments: { name: mixed, style: 'formal' } });
    same(result.messages[0].role, 'user', 'role');
    holds(result.messages[0].content.text.includes(mixed), `got ${JSON.stringify(result.messages)}`);
  });
}

async function resources(report, { client, received, missing }) {
  await report.check('resources are listed', async () => {
    const { resources } = await client.listResources();
    same(resources.map((r) => [r.uri, r.mimeType]), [['demo://greeting', 'text/plain']], 'resources');
  });
  await report.check('a resource is read', async () => {
    const { contents } = await client.readResource({ uri: 'demo://greeting' });
    same([contents[0].uri, contents[0].mimeType], ['demo://greeting', 'text/plain'], 'contents');
    holds(contents[0].text.startsWith('Hello from Bowline'), `got ${contents[0].text}`);
  });
  await report.check('templates are listed', async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    same(resourceTemplates.map((t) => t.uriTemplate), ['demo://shout/{text}'], 'templates');
  });
  await report.check('a template is read with percent-encoded text', async () => {
    const uri = `demo://shout/${encodeURIComponent('héllo 世界 😀')}`;
    const { contents } = await client.readResource({ uri });
    same([contents[0].uri, contents[0].text], [uri, 'HÉLLO 世界 😀'], 'contents');
  });
  await report.check('a template is read by a URI that is not percent-encoded', async () => {
    const { contents } = await client.readResource({ uri: 'demo://shout/é世界😀' });
    same(contents[0].text, 'É世界😀', 'text');
  });
  await report.check(`an unknown resource is ${missing}`, async () => {
    await rejection(client.readResource({ uri: 'demo://nowhere' }), 'unknown resource');
    // What came is looked at: one client turns the code of the older revisions into the newer one.
    same(received.findLast((m) => m.error).error.code, missing, 'code');
  });
}

async function completions(report, { client }) {
  const complete = async (ref, name, value) => {
    const { completion } = await client.complete({ ref, argument: { name, value } });
    return completion.values;
  };
  await report.check('an enum argument of a prompt completes by itself', async () => {
    same(await complete({ type: 'ref/prompt', name: 'greet' }, 'style', 'f'), ['formal'], 'values');
  });
  await report.check('an argument of a template completes', async () => {
    const values = await complete({ type: 'ref/resource', uri: 'demo://shout/{text}' }, 'text', 'he');
    for (const word of ['hello', 'hey']) {
      holds(values.includes(word), `${word} is missing in ${values}`);
    }
    holds(values.every((v) => v.startsWith('he')), `something else is in ${values}`);
  });
  await report.check('an argument without a completer completes to nothing', async () => {
    same(await complete({ type: 'ref/prompt', name: 'greet' }, 'name', 'x'), [], 'values');
  });
  await report.check('completing for an unknown prompt is -32602', async () => {
    const err = await rejection(complete({ type: 'ref/prompt', name: 'nobody' }, 'name', ''), 'unknown prompt');
    same(err.code, -32602, 'code');
  });
}

async function mistakes(report, { client, call, request }) {
  await report.check('an unknown tool is -32602', async () => {
    const err = await rejection(call({ name: 'no-such-tool', arguments: {} }), 'unknown tool');
    same(err.code, -32602, 'code');
  });
  await report.check('an unknown prompt is -32602', async () => {
    const err = await rejection(client.getPrompt({ name: 'nobody' }), 'unknown prompt');
    same(err.code, -32602, 'code');
  });
  await report.check('a missing prompt argument is -32602', async () => {
    const err = await rejection(client.getPrompt({ name: 'greet', arguments: {} }), 'missing argument');
    same(err.code, -32602, 'code');
  });
  await report.check('an unknown method is -32601', async () => {
    const err = await rejection(request('demo/unknown', {}), 'unknown method');
    same(codeOf(err), -32601, 'code');
  });
  for (const [what, args, word] of [
    ['a missing argument', { a: 1 }, 'b'],
    ['an argument of the wrong type', { a: 'one', b: 2 }, 'a'],
    ['an unknown argument', { a: 1, b: 2, c: 3 }, 'c'],
  ]) {
    await report.check(`${what} is told to the model in band`, async () => {
      const result = await call({ name: 'add', arguments: args });
      same(result.isError, true, 'isError');
      const text = result.content[0].text;
      holds(new RegExp(`\\b${word}\\b`).test(text), `the text does not name ${word}: ${text}`);
    });
  }
  await report.check('the server still answers after all of this', async () => {
    same((await call({ name: 'add', arguments: { a: 1, b: 2 } })).content[0].text, 'The sum is 3', 'text');
  });
}
