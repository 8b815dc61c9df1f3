/** `docs/asyncapi.json`: the messages of the WebSocket and the event stream, from the same schemas as the rest. */
import type * as z from 'zod';
import { OPERATIONS } from '../../src/protocol/operations.ts';
import { subscribeMessage } from '../../src/protocol/suggestion-messages.ts';
import { agentStreamSchemas, SUGGESTION_PORT, wireEventSchemas } from '../../src/protocol/suggestion-wire.ts';
import { type JsonSchema, SchemaBook } from './schemas.ts';

const { response: _, error: __, ...events } = wireEventSchemas;
const STREAMED: Readonly<Record<string, z.ZodType>> = { ...events, ...agentStreamSchemas };

/** What a client sends on the WebSocket, by its `type`. */
const requests = (): [string, z.ZodObject, string][] => [
  ...OPERATIONS.map(({ name, fields, summary }): [string, z.ZodObject, string] => [name, fields, summary]),
  ['subscribe', subscribeMessage.fields, 'Limits the list and the events to one folder, or starts anew.'],
];

/** The AsyncAPI document. */
export function asyncApi(): string {
  const book = new SchemaBook('#/components/schemas/');
  const messages: Record<string, object> = {};
  const put = (key: string, name: string, payload: JsonSchema, summary?: string) => {
    const examples = [{ payload: book.exampleOf(payload) }];
    messages[key] = { name, ...(summary === undefined ? {} : { summary }), payload, examples };
  };
  for (const [type, schema] of Object.entries(wireEventSchemas)) put(type, type, book.add(schema, 'output'));
  for (const [type, schema] of Object.entries(agentStreamSchemas))
    put(type, type, book.add(schema, 'output'));
  for (const [type, fields, summary] of requests())
    put(`request.${type}`, type, framed(type, book.add(fields, 'input')), summary);
  const refs = (keys: readonly string[]) =>
    Object.fromEntries(keys.map((key) => [key, { $ref: `#/components/messages/${key}` }]));
  const asked = requests().map(([type]) => `request.${type}`);
  const told = Object.keys(STREAMED);
  const channel = (name: string, keys: readonly string[]) =>
    keys.map((key) => ({ $ref: `#/channels/${name}/messages/${key}` }));
  const document = {
    asyncapi: '3.0.0',
    info: { title: 'The streams of copane', version: '1', description: 'See protocol.md.' },
    servers: {
      local: {
        host: `127.0.0.1:${SUGGESTION_PORT}`,
        protocol: 'ws',
        security: [{ type: 'http', scheme: 'bearer' }],
      },
    },
    channels: {
      socket: { address: '/ws', messages: refs([...told, 'response', 'error', ...asked]) },
      events: { address: '/events', messages: refs(told) },
    },
    operations: {
      receive_socket: {
        action: 'send',
        summary: 'Answers, and events as they happen.',
        channel: { $ref: '#/channels/socket' },
        messages: channel('socket', [...told, 'response', 'error']),
      },
      send_socket: {
        action: 'receive',
        summary: 'Requests; each is answered by a `response` with its `id`.',
        channel: { $ref: '#/channels/socket' },
        messages: channel('socket', asked),
        reply: {
          channel: { $ref: '#/channels/socket' },
          messages: channel('socket', ['response']),
        },
      },
      receive_events: {
        action: 'send',
        summary: 'Events as they happen, as SSE: one message in each `data`, its number in `id`.',
        channel: { $ref: '#/channels/events' },
        messages: channel('events', told),
      },
    },
    components: { messages, schemas: book.named },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The fields of a request and its frame. */
function framed(type: string, { properties, required = [], ...rest }: JsonSchema): JsonSchema {
  const frame = {
    type: { const: type },
    id: { anyOf: [{ type: 'string' }, { type: 'number' }], description: 'Comes back with the answer.' },
  };
  return { ...rest, properties: { ...frame, ...properties }, required: ['type', ...required] };
}

/** `docs/protocol.schema.json`: a JSON Schema for every message, by its name. */
export function protocolJsonSchema(): string {
  const book = new SchemaBook('#/$defs/');
  const $defs: Record<string, JsonSchema> = {};
  for (const [type, schema] of Object.entries(wireEventSchemas)) $defs[type] = book.add(schema, 'output');
  for (const { name, fields } of OPERATIONS) $defs[`request.${name}`] = book.add(fields, 'input');
  $defs['request.subscribe'] = book.add(subscribeMessage.fields, 'input');
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The messages of the suggestion protocol of copane',
    $defs: { ...$defs, ...book.named },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
