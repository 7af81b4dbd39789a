// The official client of the current generation, as the checks want it: one adapter for both eras that it speaks.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { listening, observe, onStdio, recorder } from './programs.mjs';

/** The revision without sessions. */
export const revision = '2026-07-28';

/** Modes of the client's option versionNegotiation. */
export const modes = { pinned: { pin: revision }, probing: 'auto', 'without options': 'legacy' };

const anyResult = { '~standard': { version: 1, vendor: 'interop', validate: (value) => ({ value }) } };
const logLevel = (level) => ({ _meta: { 'io.modelcontextprotocol/logLevel': level } });

/** Connects a client and returns the adapter that the checks want. */
export async function connect(transport, mode, options = {}) {
  const client = new Client({ name: 'interop-modern', version: '1.0.0' }, { versionNegotiation: { mode }, ...options });
  await client.connect(transport);
  const adapter = {
    client,
    transport,
    revision: client.getNegotiatedProtocolVersion(),
    received: observe(transport),
    call: (params, options) => client.callTool(params, options),
    request: (method, params) => client.request({ method, params }, anyResult),
  };
  return Object.assign(adapter, adapter.revision === revision ? current(adapter) : legacy(adapter));
}

const current = ({ client }) => ({
  asked: logLevel('info'),
  atLevel: async (level) => logLevel(level),
  missing: -32602,
  subscribe: async (uris) => {
    const lists = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    const subscription = await client.listen({ ...lists, ...(uris.length ? { resourceSubscriptions: uris } : {}) });
    return () => subscription.close();
  },
});

const legacy = ({ client, transport }) => ({
  asked: {},
  atLevel: async (level) => {
    await client.setLoggingLevel(level);
    return {};
  },
  missing: -32002,
  subscribe: async (uris) => {
    await listening(transport);
    await Promise.all(uris.map((uri) => client.subscribeResource({ uri })));
    return () => Promise.all(uris.map((uri) => client.unsubscribeResource({ uri })));
  },
});

/** A client that can be asked what its capabilities say. */
export async function connectAsked(transport, capabilities) {
  const client = new Client({ name: 'interop-asked', version: '1.0.0' }, { capabilities, versionNegotiation: { mode: modes.pinned } });
  const adapter = { client, call: (params) => client.callTool(params) };
  if (capabilities.elicitation) {
    client.setRequestHandler('elicitation/create', (request) => adapter.user(request.params));
    client.setRequestHandler('sampling/createMessage', (request) => adapter.model(request.params));
    client.setRequestHandler('roots/list', () => adapter.folders());
  }
  await client.connect(transport);
  return adapter;
}

/** A transport that starts a program for itself alone. */
export function overStdio(program) {
  return new StdioClientTransport(onStdio(program));
}

/** A transport that notes in exchanges what goes over the wire; alter: see recorder. */
export function overHTTP(url, alter) {
  const { exchanges, fetch } = recorder(alter);
  return Object.assign(new StreamableHTTPClientTransport(url, { fetch }), { exchanges });
}
