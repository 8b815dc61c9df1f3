/** `docs/protocol.md`: the suggestion protocol for people, with tables made from the schemas. */
import type * as z from 'zod';
import type { JsonLimits } from '../../src/lib/bounded-json.ts';
import { agentEventDataSchemas } from '../../src/protocol/agent.ts';
import { type CommandName, commands, traitsOf } from '../../src/protocol/command.ts';
import { COMMENT_MAX_LENGTH, MAX_LINE_BYTES, MESSAGE_JSON_LIMITS } from '../../src/protocol/limits.ts';
import { isSuggestionOperation, OPERATIONS, type Operation } from '../../src/protocol/operations.ts';
import { subscribeMessage, suggestionMessages } from '../../src/protocol/suggestion-messages.ts';
import {
  briefSchema,
  SEQ_FACTOR,
  SUGGESTION_PORT,
  wireEventSchemas,
  wireHunkSchema,
} from '../../src/protocol/suggestion-wire.ts';
import { BINARIES_MAX_BYTES, BINARY_MAX_BYTES } from '../../src/review/core/binary-patch.ts';
import {
  PATCH_MAX_BYTES,
  PATCH_MAX_FILES,
  PATCH_MAX_HUNKS,
  PATCH_MAX_LINES,
} from '../../src/review/core/patch-model.ts';
import { FILE_MAX_BYTES } from '../../src/review/files/target-files.ts';
import {
  AUTHOR_FILE_MAX_RUNS,
  AUTHOR_SUGGESTIONS_MAX,
  OPEN_SUGGESTIONS_MAX,
} from '../../src/review/publishing/admission.ts';
import { PUBLISH_MAX_PER_MINUTE } from '../../src/review/publishing/publisher.ts';
import { COMMENTS_MAX, REPLIES_MAX } from '../../src/review/records/threads.ts';
import { PATCH_FILES_MAX_BYTES } from '../../src/review/sources/read-images.ts';
import { SERVER_LIMITS } from '../../src/server/socket-server.ts';
import { BODY_JSON_LIMITS, SUGGESTION_LIMITS } from '../../src/server/suggestions/port.ts';
import { SERVER_ROUTES } from '../../src/server/suggestions/router.ts';
import { type JsonSchema, SchemaBook } from './schemas.ts';

const REF = '#/$defs/';
const book = () => new SchemaBook(REF);

/** Titles of the objects that have a table of their own. */
const NAMED: Readonly<Record<string, string>> = {
  Suggestion: 'a suggestion',
  SuggestionWithHunks: 'a suggestion with its hunks',
  Hunk: 'a hunk',
};

function typeWords(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return NAMED[schema.$ref.slice(REF.length)] ?? 'object';
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeWords).join(' or ');
  if (schema.type === 'array')
    return `list of ${schema.items === undefined ? 'anything' : typeWords(schema.items)}`;
  if (schema.properties !== undefined) return `\`{${Object.keys(schema.properties).join(', ')}}\``;
  return schema.type === undefined ? 'anything' : [schema.type].flat().join(' or ');
}

function fieldTable(schema: JsonSchema, withDefaults: boolean): string {
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const needed = schema.required?.includes(name) ? '' : 'optional';
    const preset =
      withDefaults && field.default !== undefined ? `default \`${JSON.stringify(field.default)}\`` : '';
    const words = [preset || needed, field.description ?? ''].filter((word) => word !== '').join('. ');
    return `| \`${name}\` | ${typeWords(field)} | ${words} |`;
  });
  return ['| field | type | |', '|---|---|---|', ...rows].join('\n');
}

function tableOf(schema: z.ZodType, io: 'input' | 'output'): string {
  const pages = book();
  return fieldTable(pages.resolve(pages.add(schema, io)), io === 'input');
}

const events = () =>
  Object.entries(wireEventSchemas)
    .map(([name, schema]) => `### \`${name}\`\n\n${tableOf(schema, 'output')}`)
    .join('\n\n');

/** A request with the tables of its fields and its answer. */
function requestSection(
  name: string,
  summary: string,
  messages: { fields: z.ZodType; answer: z.ZodType },
): string {
  return `### \`${name}\`

${summary}

${tableOf(messages.fields, 'input')}

Its answer:

${tableOf(messages.answer, 'output')}`;
}

const requests = () =>
  [
    ...OPERATIONS.flatMap(({ name, summary }) =>
      isSuggestionOperation(name) ? [requestSection(name, summary, suggestionMessages[name])] : [],
    ),
    requestSection(
      'subscribe',
      'By WebSocket alone: limits the list and the events to one folder, or starts anew from a number.',
      subscribeMessage,
    ),
  ].join('\n\n');

const routeRow = ({ method, path, summary, name }: Operation) =>
  `| ${method} | \`${path}\` | \`${name}\` | ${summary} |`;

const MIB = 1024 * 1024;
const count = (value: number) => value.toLocaleString('en');
const jsonLimits = ({ maxDepth, maxValues, maxMembers }: JsonLimits) =>
  `${maxDepth} deep, ${count(maxValues)} values, ${count(maxMembers)} members of one object or array`;

/** All input limits, in the order of the page. */
const LIMITS: readonly (readonly [what: string, limit: string])[] = [
  ['A body or a WebSocket message', `${SUGGESTION_LIMITS.maxBodyBytes / MIB} MiB`],
  ['JSON in it', jsonLimits(BODY_JSON_LIMITS)],
  ['Bodies and messages that are not whole yet, together', `${SUGGESTION_LIMITS.maxBodiesBytes / MIB} MiB`],
  ['A line of the Unix socket', `${MAX_LINE_BYTES / MIB} MiB`],
  ['JSON in it', jsonLimits(MESSAGE_JSON_LIMITS)],
  ['A patch', `${PATCH_MAX_BYTES / MIB} MiB`],
  ['Lines of a patch', count(PATCH_MAX_LINES)],
  ['Files of a patch', count(PATCH_MAX_FILES)],
  ['Hunks of a patch', count(PATCH_MAX_HUNKS)],
  ['Places in which an author changes one file', count(AUTHOR_FILE_MAX_RUNS)],
  [
    'Binary files of a patch, unpacked',
    `${BINARY_MAX_BYTES / MIB} MiB each, ${BINARIES_MAX_BYTES / MIB} MiB together`,
  ],
  ['Files that a patch changes or copies, together', `${PATCH_FILES_MAX_BYTES / MIB} MiB`],
  ['A file that is reviewed', `${FILE_MAX_BYTES / MIB} MiB`],
  ['A comment', `${count(COMMENT_MAX_LENGTH)} characters`],
  ['Comments on a hunk', `${COMMENTS_MAX}, and ${REPLIES_MAX} replies`],
  ['Open suggestions', `${OPEN_SUGGESTIONS_MAX}, of one author ${AUTHOR_SUGGESTIONS_MAX}`],
  ['Publishing by one author or from one sandbox', `${PUBLISH_MAX_PER_MINUTE} in a minute`],
  ['Streams at one time', count(SUGGESTION_LIMITS.maxStreams)],
  [
    'Connections at one time',
    `${count(SUGGESTION_LIMITS.maxSockets)} by TCP, ${SERVER_LIMITS.maxConnections} by the Unix socket`,
  ],
  ['Requests of one WebSocket that wait', count(SUGGESTION_LIMITS.maxWaiting)],
  [
    'Headers of a request',
    `within ${SUGGESTION_LIMITS.headersTimeoutMs / 1000} s; the whole within ${SUGGESTION_LIMITS.requestTimeoutMs / 1000} s`,
  ],
  ['A ping', `every ${SUGGESTION_LIMITS.pingIntervalMs / 1000} s`],
  ['Taking nothing', `for ${SUGGESTION_LIMITS.stallTimeoutMs / 1000} s`],
];

/** `docs/protocol.md`. */
export function renderProtocolPage(): string {
  const routes = [
    ...OPERATIONS.filter(({ name }) => isSuggestionOperation(name)).map(routeRow),
    ...SERVER_ROUTES.map(({ method, path, summary }) => `| ${method} | \`${path}\` | | ${summary} |`),
  ].join('\n');
  return `# The suggestion protocol

An AI publishes a change; a person decides on it, hunk by hunk. Editors, scripts and AI CLIs speak this protocol.
This page, \`openapi.json\` (HTTP), \`asyncapi.json\` (WebSocket and SSE) and \`protocol.schema.json\` (the messages alone) are
generated from the command table in \`src/protocol\`; do not edit them. The tests check all their traffic against them.

## Ways in

- **The Unix socket** \`$XDG_RUNTIME_DIR/copane/host.sock\`: only its owner can open it, so it needs no token.
  \`curl --unix-socket "$XDG_RUNTIME_DIR/copane/host.sock" http://localhost/suggestions\`
- **TCP, 127.0.0.1:${SUGGESTION_PORT}**, while a companion or \`copane serve\` leads. \`"tcp": false\` in the configuration turns it off;
  \`tcp_port\` or \`SUGGESTION_MANAGER_PORT\` names another port, \`tcp_host\` or \`SUGGESTION_MANAGER_HOST\` another address. A port
  that another program has is said once, and opened when it is free.

From another machine, come through a proxy of your own that ends TLS: it listens outside, passes requests on to
\`127.0.0.1:${SUGGESTION_PORT}\` with that as \`Host\`, and drops \`Origin\`. Copane itself speaks no TLS. An author elsewhere needs a token of its
own, and sends its change as a patch:

    COPANE_SERVER=https://reviews.example COPANE_TOKEN=… copane publish --source . --target /home/ann/project

A request that a proxy passed on (\`Forwarded\`, \`X-Forwarded-*\`, \`X-Real-IP\` or \`Via\`) needs a token in any case: also with \`"auth": "none"\`,
and by the Unix socket, and no folder is read for it. What these headers say is believed in nothing else: \`Host\` and \`Origin\` count as they are.

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
| the next version, replies to comments | all | what came with its own token |
| list, get, events | all | what came with its own token |
| feedback, undo | yes | **no** |
| complete | yes | discard of what came with its own token |

Give an AI the author's token: nothing that it can do with it decides. A program that runs under your own account can
read your files, and so do what you can; tokens do not change that.
\`"auth": "none"\` lets every program of this machine decide: for old clients, never with an address that others reach.

Web pages are turned away: a foreign \`Origin\` gets 403, a foreign \`Host\` 421, a body that is not \`application/json\` 415,
and no answer has a CORS header.

## HTTP

| method | path | operation | |
|---|---|---|---|
${routes}

The fields of a \`GET\` stand in its query, those of a \`POST\` in its body, one JSON object; those in a path in that path.
An answer is one JSON object, the same for one operation by every way in, with 200, or 201 for what was published. A failure is
\`{"success": false, "error": "…", "code": "…", "hint": "…"}\` with 400 (the field is named), 401, 403, 404
(\`Suggestion not found: ID\`, \`Hunk not found: ID\`), 405, 408 (it did not come as a whole in time), 409 (refused or in conflict; nothing was written), 413, 415, 421, 431, 500, or 429
and 503 with \`Retry-After\` in seconds (a limit is met). \`code\` is \`invalid\`, \`forbidden\`, \`not_found\`, \`refused\`, \`conflict\`, \`limit\` or
\`internal\`; it and \`hint\` are optional.

After a lost answer, a request may be sent again: \`publish\` of the same change gives the same suggestion, and the same
\`feedback\` on a hunk decides once (but comments again); another one on a hunk that is decided is refused. Before another
\`undo\`, \`redo\`, \`split\` or \`join\`, \`get\` tells whether the first one was done.

Names are \`snake_case\`. What is marked *optional* in an answer is left out when it has nothing to say. Unknown fields of a
request are ignored. \`copane show --json\` and its like, and the tools of MCP, give the same objects.

The original clients of this protocol expect \`camelCase\`. They know of no token: a client that comes without one, where
\`"auth": "none"\` lets it in, is answered in that dialect (every name in both spellings, \`hunk_states\`, \`original_lines\`, the payload
of a response beside \`data\` too, one suggestion at the top level). \`?dialect=original\` asks for it with a token,
\`?dialect=copane\` for this one without. Requests are taken in both spellings from everybody.

## WebSocket

A request is \`{"type": OPERATION, "id": "1", …fields}\`; its fields may also stand inside \`data\`. The answer is a \`response\` with
the same \`id\`: \`data\` is what HTTP answers to that operation, and a failure has \`error\`, \`code\` and \`status\`. Requests of one
connection are done in order. Text that is not a JSON object is answered with \`{"type": "error", "error": "Invalid JSON"}\`.

The first message is \`connected\`, with all suggestions that wait. \`?working_directory=DIR\` or a \`subscribe\` request limits list
and events to one folder. Closed with 1001: the server ends, another one follows, connect again; 1008: you read too slowly,
or sent a message too slowly; 1009: a message is too long; 1013: too many long messages come in at once, connect and send it again;
4401: the token was rotated.

## Events

Events come in order, each with a \`seq\`. Connect again with \`?since=SEQ\` (or, for SSE, \`Last-Event-ID\`) and get what came after
it: nothing is lost or doubled, also when another process has taken over. SSE sends each as \`data: JSON\` with \`id: SEQ\` and
without an event name, \`connected\` first, and a comment as its ping. Numbers grow, with holes (an entry of the log
takes ${SEQ_FACTOR} of them). \`gap\` says that what you asked for is no longer kept: load the list again.

What a request leads to, for whoever may see the suggestion, also for the client that asked:

| request | events, in this order |
|---|---|
| \`publish\` | \`suggestion.ready\`, \`suggestion.status\` |
| \`publish\` of the next version | \`suggestion.changed\` |
| \`feedback\` that decides | \`suggestion.hunk_applied\`, \`suggestion.status\`, \`suggestion.changed\` |
| \`feedback\` that comments | \`suggestion.changed\` |
| \`reply\` | \`suggestion.changed\` |
| \`undo\` | \`suggestion.status\`, \`suggestion.changed\` |
| \`redo\` | \`suggestion.status\`, \`suggestion.changed\` |
| \`split\` | \`suggestion.changed\` |
| \`join\` | \`suggestion.changed\` |
| \`complete\` | \`suggestion.status\`, \`suggestion.changed\` |
| \`reopen\` | \`suggestion.changed\` |
| \`status\` | \`suggestion.status\`, or \`suggestion.error\` with an \`error_code\` |

Where a decision wrote to files of other open suggestions, \`suggestion.touched\` follows.

${events()}

## Objects

### A suggestion

${tableOf(briefSchema, 'output')}

With its hunks it has three more: \`hunks\`, a list of a hunk; \`notes\`, optional: what was tolerated while reading the patch, and
what its version changed; and \`stack\`, optional: \`{place, id, description, status, author}\` of the open suggestions about the same files, this
one and those next to it, in the order in which they were published. The one at place 1 is to be decided on first.

An author that publishes with the \`suggestion_id\` of an open suggestion makes the next \`version\` of it. Hunks that stay the same keep
their id, their decision and their comments. A hunk that is new or changed has a new id, no decision, and the number of this version as its
\`version\`; comments on the hunk that it replaces are shown on it; those that no hunk is about any more are in \`notes\`. So a client that last showed version 2 finds what has changed since
in the hunks whose \`version\` is greater than 2. An accepted hunk that the new version no longer has stays in the files.

### A hunk

${tableOf(wireHunkSchema, 'output')}

A comment is \`{text}\`, with \`by\`: \`"author"\` for a reply of the author, which stands below the comment that it answers; one about some lines has \`lines\` (\`{first, last}\` of the diff, counted from 1 below its \`@@\` line),
\`file_lines\` (\`{side, first, last}\`: the same as line numbers of the file) and \`quote\` (the lines themselves).

## Requests

${requests()}

${agentChapter()}

## Limits

No input holds the host up: what passes a limit is refused before it is worked on, and long work is done in slices, so
that \`/health\` is answered meanwhile.

| what | limit |
|---|---|
${LIMITS.map(([what, limit]) => `| ${what} | ${limit} |`).join('\n')}

A client that does not answer a ping before the next one is gone; one that takes nothing for too long is dropped.

What clients send does not pile up in the host. With 100 clients on WebSockets and 1,000 suggestions of ten hunks (349 MB of events)
its memory grew from 119 to 171 MB; two minutes later it was 138 MB. The runtime gives back what is free only after a while.

## JSON lines

For programs of the same user: one JSON object a line, \`{"id": 1, "command": "review/list", "params": {}}\`, answered by
\`{"id": 1, "ok": true, "value": …}\` or \`{"id": 1, "ok": false, "error": {"code": …, "message": …}}\`.
\`{"subscribe": null}\` asks for all events from now on, as \`{"type": "event", "seq", "ts", "body"}\`; these numbers are the log's own.
\`{"hello": {"client": NAME}}\` is answered by \`{"type": "welcome", "pid", "epoch", "version"}\`. After a broken connection,
\`{"subscribe": SEQ}\` goes on after SEQ: \`{"type": "subscribed", "seq", "head"}\`, or \`gap\` when that is no longer kept.
\`{"type": "bye", "reason"}\` is a host's last line: another one leads soon, on the same socket. A request with a name of its own,
\`"once": "NAME"\`, is not done twice when it is sent again after a lost answer. \`review/intend\` first sends \`{"id": 1, "early": …}\`:
how the hunks will look. \`commands.schema.json\` has the \`params\` and the \`value\` of every command below, and the \`body\` of
every event; names are \`camelCase\` here. The Neovim plugin is such a client, in Lua (\`nvim/lua/copane/review\`).

| command | |
|---|---|
${(Object.keys(commands) as CommandName[])
  .map((name) => `| \`${name}\` | ${traitsOf(name).summary} |`)
  .join('\n')}
`;
}

/** The agent section: the same server serves it. */
function agentChapter(): string {
  const routes = OPERATIONS.filter(({ name }) => !isSuggestionOperation(name))
    .map(routeRow)
    .join('\n');
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

| method | path | operation | |
|---|---|---|---|
${routes}

\`GET jobs/ID/events?cursor=N\` gives events strictly after N; \`next_cursor\` is that of the last one given, to ask from next, and \`dropped\`
says how many after N are not kept any more; \`poll_interval_ms\` is how long to wait before asking again. The streams tell the same as \`{"type", "session_id", "job_id", "status", "cursor", "data"}\`, and
\`agent.session\` when a session is to be loaded again. Each \`data\` has a \`summary\` of one line, and:

| event | data |
|---|---|
${types}`;
}
