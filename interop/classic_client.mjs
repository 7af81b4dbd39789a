// The official client of the first generation, as the checks want it.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { listening, observe, onStdio, recorder } from './programs.mjs';

/** Connects a client and returns the adapter that the checks want. The handshake offers the given revision. */
export async function connect(transport, revision, options = {}) {
  const client = new Client({ name: 'interop-classic', version: '1.0.0' }, options);
  let negotiated;
  const told = transport.setProtocolVersion;
  transport.setProtocolVersion = (version) => {
    negotiated = version;
    told?.call(transport, version);
  };
  const send = transport.send;
  transport.send = (message, how) => {
    if (message.method === 'initialize') {
      message = { ...message, params: { ...message.params, protocolVersion: revision } }; // the client offers its newest
    }
    return send.call(transport, message, how);
  };
  await client.connect(transport);
  return {
    client,
    transport,
    revision: negotiated,
    received: observe(transport),
    call: (params, options) => client.callTool(params, undefined, options),
    request: (method, params) => client.request({ method, params }, ResultSchema),
    asked: {},
    missing: -32002,
    atLevel: async (level) => {
      await client.setLoggingLevel(level);
      return {};
    },
    subscribe: async (uris) => {
      await listening(transport);
      await Promise.all(uris.map((uri) => client.subscribeResource({ uri })));
      return () => Promise.all(uris.map((uri) => client.unsubscribeResource({ uri })));
    },
  };
}

/** A client that answers requests of the server, as far as its capabilities say so. */
export async function connectAsked(transport, capabilities) {
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

/** A transport that starts a program for itself alone. */
export function overStdio(program) {
  return new StdioClientTransport(onStdio(program));
}

/** A transport that notes in exchanges what goes over the wire, in the session given or a new one. */
export function overHTTP(url, sessionId) {
  const { exchanges, fetch } = recorder();
  return Object.assign(new StreamableHTTPClientTransport(url, { fetch, sessionId }), { exchanges });
}
