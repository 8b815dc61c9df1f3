/** The documents of the suggestion protocol, made from its schemas and routes. */
import * as z from 'zod';
import { agentEventDataSchemas } from '../src/protocol/agent.ts';
import { commands } from '../src/protocol/command.ts';
import { agentCommands } from '../src/protocol/commands/agent.ts';
import {
  requestSchemas,
  SEQ_FACTOR,
  SUGGESTION_PORT,
  wireEventSchemas,
} from '../src/protocol/suggestion-wire.ts';
import { AGENT_ROUTES } from '../src/server/agent/routes.ts';
import { SUGGESTION_LIMITS } from '../src/server/suggestions/port.ts';
import { ROUTES } from '../src/server/suggestions/routes.ts';

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
}

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<
    string,
    unknown
  >;
  return rest as JsonSchema;
};

const mapValues = <T>(record: Readonly<Record<string, z.ZodType>>, make: (schema: z.ZodType) => T) =>
  Object.fromEntries(Object.entries(record).map(([name, schema]) => [name, make(schema)]));

/** `docs/protocol.schema.json`: a JSON Schema for every message. */
export function protocolJsonSchema(): string {
  const $defs = {
    ...mapValues(requestSchemas, (schema) => schemaOf(schema, 'input')),
    ...mapValues(wireEventSchemas, (schema) => schemaOf(schema, 'output')),
  };
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The suggestion protocol of copane',
    description: 'Names are snake_case here; on the wire every object carries the camelCase names as well.',
    $defs,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

const failure = (description: string) => ({
  description,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['success', 'error'],
        properties: { success: { const: false }, error: { type: 'string' } },
      },
    },
  },
});

const FAILURES = {
  400: failure('A field is missing or wrong; the sentence names it.'),
  401: failure('No token, or not a valid one.'),
  403: failure('A foreign Origin, or not for an author.'),
  404: failure('No such suggestion, hunk or folder.'),
  409: failure('In conflict with the target or with another decision; nothing was written.'),
  413: failure(`The body is larger than ${SUGGESTION_LIMITS.maxBodyBytes} bytes.`),
  415: failure('The body is not JSON.'),
  421: failure('The Host header names another server.'),
};

function openApiOperation({ method, path, target, summary }: (typeof ROUTES)[number]) {
  const fields = target.kind === 'operation' ? schemaOf(requestSchemas[target.name], 'input') : {};
  const inPath = path.includes(':id')
    ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
    : [];
  const query = Object.entries(method === 'GET' ? (fields.properties ?? {}) : {})
    .filter(([name]) => name !== 'suggestion_id')
    .map(([name, schema]) => ({ name, in: 'query', schema }));
  const since = { name: 'since', in: 'query', schema: { type: 'integer' } };
  const stream = target.kind === 'events' || target.kind === 'socket';
  const type = target.kind === 'events' ? 'text/event-stream' : 'application/json';
  const status = target.kind === 'socket' ? 101 : path === '/suggestions' && method === 'POST' ? 201 : 200;
  return {
    summary,
    ...(target.kind === 'health' ? { security: [] } : {}),
    parameters: [...inPath, ...query, ...(stream ? [since] : [])],
    ...(method === 'POST'
      ? { requestBody: { required: true, content: { 'application/json': { schema: fields } } } }
      : {}),
    responses: { [status]: { description: summary, content: { [type]: {} } }, ...FAILURES },
  };
}

/** Answers that have a name of their own. */
const AGENT_ANSWERS: Partial<Record<keyof typeof agentCommands, string>> = {
  'agent/create': 'AgentSession',
  'agent/session': 'AgentSession',
  'agent/job': 'AgentJob',
  'agent/checkpoint': 'AgentCheckpoint',
  'agent/save': 'AgentSave',
  'agent/apply': 'AgentSave',
  'agent/rollback': 'AgentRollback',
  'agent/diff3': 'AgentDiff3',
  'agent/events': 'AgentEvents',
};

const agentSchemas = () =>
  Object.fromEntries(
    (Object.keys(AGENT_ANSWERS) as (keyof typeof agentCommands)[]).map((command) => [
      AGENT_ANSWERS[command] ?? command,
      schemaOf(agentCommands[command].result, 'output'),
    ]),
  );

function agentOperation({ method, path, command, fields, status, summary }: (typeof AGENT_ROUTES)[number]) {
  const schema = schemaOf(fields, 'input');
  const inPath = path.includes(':id')
    ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
    : [];
  const query = Object.entries(method === 'GET' ? (schema.properties ?? {}) : {}).map(([name, field]) => ({
    name,
    in: 'query',
    required: schema.required?.includes(name) ?? false,
    schema: field,
  }));
  const body = { required: true, content: { 'application/json': { schema } } };
  const made = AGENT_ANSWERS[command];
  const answer = made === undefined ? {} : { schema: { $ref: `#/components/schemas/${made}` } };
  const content = { 'application/json': answer };
  return {
    summary: `${summary} Reviewers only.`,
    parameters: [...inPath, ...query],
    ...(method === 'POST' ? { requestBody: body } : {}),
    responses: { [status]: { description: summary, content }, ...FAILURES },
  };
}

/** `docs/openapi.json`. */
export function openApi(): string {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of ROUTES) {
    const path = route.path.replace(':id', '{id}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: openApiOperation(route) };
  }
  for (const route of AGENT_ROUTES) {
    const path = route.path.replace(':id', '{id}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: agentOperation(route) };
  }
  const document = {
    openapi: '3.1.0',
    info: { title: 'copane suggestions', version: '1' },
    servers: [{ url: `http://127.0.0.1:${SUGGESTION_PORT}` }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        ...mapValues(wireEventSchemas, (schema) => schemaOf(schema, 'output')),
        ...agentSchemas(),
      },
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function typeWords(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeWords).join(' or ');
  if (schema.type === 'array')
    return `list of ${schema.items === undefined ? 'anything' : typeWords(schema.items)}`;
  if (schema.properties?.hunks !== undefined) return 'a suggestion with its hunks';
  if (schema.properties?.hunk_count !== undefined) return 'a suggestion';
  return schema.type === undefined ? 'anything' : [schema.type].flat().join(' or ');
}

function fieldTable(schema: JsonSchema, withDefaults: boolean): string {
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const needed = schema.required?.includes(name) ? '' : 'may be left out';
    const preset =
      withDefaults && field.default !== undefined ? `default \`${JSON.stringify(field.default)}\`` : '';
    const words = [preset || needed, field.description ?? ''].filter((word) => word !== '').join('. ');
    return `| \`${name}\` | ${typeWords(field)} | ${words} |`;
  });
  return ['| field | type | |', '|---|---|---|', ...rows].join('\n');
}

const sections = (record: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output') =>
  Object.entries(record)
    .map(([name, schema]) => `### \`${name}\`\n\n${fieldTable(schemaOf(schema, io), io === 'input')}`)
    .join('\n\n');

/** `docs/protocol.md`. */
export function renderProtocolPage(): string {
  const { maxBodyBytes, maxStreams, pingIntervalMs, stallTimeoutMs, maxWaiting } = SUGGESTION_LIMITS;
  const routes = ROUTES.map(({ method, path, summary }) => `| ${method} | \`${path}\` | ${summary} |`).join(
    '\n',
  );
  const hunk = wireEventSchemas['suggestion.ready'].shape.suggestion.shape.hunks.element;
  return `# The suggestion protocol

An AI publishes a change; a person decides on it, hunk by hunk. Editors, scripts and AI CLIs speak this protocol.
This page, \`openapi.json\` and \`protocol.schema.json\` are generated from the schemas in \`src/protocol\`; do not edit them.

## Ways in

- **The Unix socket** \`$XDG_RUNTIME_DIR/copane/host.sock\`: only its owner can open it, so it needs no token.
  \`curl --unix-socket "$XDG_RUNTIME_DIR/copane/host.sock" http://localhost/suggestions\`
- **TCP, 127.0.0.1:${SUGGESTION_PORT}**, when it was asked for: \`copane serve --tcp\`, \`"tcp": true\` in the configuration, or
  \`SUGGESTION_MANAGER_PORT\` in the environment (\`SUGGESTION_MANAGER_HOST\` for another address).

Both speak HTTP, WebSocket (\`/ws\`) and server-sent events (\`/events\`).
AI CLIs publish by MCP: \`copane mcp\` over stdin and stdout, or \`POST /mcp\` here, with an author's token.
The Unix socket also takes JSON lines, one command a line: see the end of this page.

## Who may do what

A request by TCP carries \`Authorization: Bearer TOKEN\`; never in the address. Each token is in a file of its
owner's alone. \`copane token\` prints the reviewer's, \`copane token --author\` an author's, and
\`copane token --role author --name NAME\` that of an author of its own, made when it is first asked for. \`--rotate\` makes
a new one and closes what the old one had opened, \`--revoke\` takes a named author's away, \`--list\` tells who has one.

| | reviewer | author |
|---|---|---|
| publish, report progress | yes | yes |
| list, get, events | all | what came with its own token |
| feedback, undo | yes | **no** |
| complete | yes | discard of what came with its own token |

Give an AI the author's token: nothing that it can do with it decides. A program that runs under your own account can
read your files, and so do what you can; tokens do not change that.
\`"auth": "none"\` lets every program of this machine decide: for old clients, never with an address that others reach.

Web pages are turned away: a foreign \`Origin\` gets 403, a foreign \`Host\` 421, a body that is not \`application/json\` 415,
and no answer has a CORS header.

## HTTP

| method | path | |
|---|---|---|
${routes}

An answer is one JSON object; a failure is \`{"success": false, "error": "…"}\` with 400 (the field is named), 401, 403, 404
(\`Suggestion not found: ID\`, \`Hunk not found: ID\`), 409 (in conflict; nothing was written), 413 or 415.

Names are \`snake_case\` on this page. Every object that is sent carries \`camelCase\` names too (\`suggestion_id\` and
\`suggestionId\`), and both are taken. Unknown fields are ignored.

## WebSocket

A request is \`{"type": TYPE, "id": "1", …fields}\`; its fields may also stand inside \`data\`. The answer is a \`response\` with
the same \`id\` and its payload both in \`data\` and beside it. Requests of one connection are done in order. Text that is no
JSON object is answered with \`{"type": "error", "error": "Invalid JSON"}\`.

The first message is \`connected\`, with all suggestions that wait. \`?working_directory=DIR\` or a \`subscribe\` request limits list
and events to one folder. Closed with 1001: the server ends, another one follows, connect again; 1008: you read too slowly;
4401: the token was rotated.

## Events

Events come in order, each with a \`seq\`. Connect again with \`?since=SEQ\` (or, for SSE, \`Last-Event-ID\`) and get what came after
it: nothing is lost or doubled, also when another process has taken over. Numbers grow, with holes (an entry of the log
takes ${SEQ_FACTOR} of them). \`gap\` says that what you asked for is no longer kept: load the list again.

${sections(wireEventSchemas, 'output')}

### A hunk

${fieldTable(schemaOf(hunk, 'output'), false)}

## Requests

${sections(requestSchemas, 'input')}

${agentChapter()}

## Limits

A body or a frame: ${maxBodyBytes / 1024 / 1024} MiB. Streams at one time: ${maxStreams}. Requests of one WebSocket that wait: ${maxWaiting}.
A ping every ${pingIntervalMs / 1000} s; who does not answer one before the next is gone. Who reads nothing for ${stallTimeoutMs / 1000} s is dropped.

## JSON lines

For programs of the same user: one JSON object a line, \`{"id": 1, "command": "review/list", "params": {}}\`, answered by
\`{"id": 1, "ok": true, "value": …}\` or \`{"id": 1, "ok": false, "error": {"code": …, "message": …}}\`.
\`{"subscribe": null}\` asks for all events from now on, as \`{"type": "event", "seq", "ts", "body"}\`; these numbers are the log's own.
\`{"hello": {"client": NAME}}\` is answered by \`{"type": "welcome", "pid", "epoch", "version"}\`. After a broken connection,
\`{"subscribe": SEQ}\` goes on after SEQ: \`{"type": "subscribed", "seq", "head"}\`, or \`gap\` when that is no longer kept.
\`{"type": "bye", "reason"}\` is a host's last line: another one leads soon, on the same socket. The Neovim plugin is such a
client, in Lua (\`nvim/lua/copane/review\`).

${Object.keys(commands)
  .map((name) => `- \`${name}\``)
  .join('\n')}
`;
}

/** The agent, of which the same server speaks. */
function agentChapter(): string {
  const routes = AGENT_ROUTES.map(
    ({ method, path, summary }) => `| ${method} | \`${path}\` | ${summary} |`,
  ).join('\n');
  const types = Object.entries(agentEventDataSchemas)
    .map(([type, schema]) => {
      const fields = Object.keys(schema.shape).filter((name) => name !== 'summary');
      return `| \`${type}\` | ${fields.map((name) => `\`${name}\``).join(', ')} |`;
    })
    .join('\n');
  return `## The agent

The same server and ways in, for the reviewer alone: it reads the user's files and asks the user's model. A job runs in the background and proposes edits; they are hunks of a suggestion, decided
by the same \`feedback\` as any other. What is decided stands in the working text; only \`apply\` and \`save\` write files.
Names are \`snake_case\`, times are ISO 8601. A conflict is a 409 with \`"code": "conflict"\` and a list \`conflicts\`: run the job again
(\`rerun\`), take the disk's text as yours (\`merge\`, then \`edit\`), or leave the file out of the save.

| method | path | |
|---|---|---|
${routes}

\`GET jobs/ID/events?cursor=N\` gives events strictly after N; \`next_cursor\` is that of the last one given, to ask from next, and \`dropped\`
says how many after N are not kept any more; \`poll_interval_ms\` is how long to wait before asking again. The streams tell the same as \`{"type", "session_id", "job_id", "status", "cursor", "data"}\`, and
\`agent.session\` when a session is to be loaded again. Each \`data\` has a \`summary\` of one line, and:

| event | data |
|---|---|
${types}`;
}
