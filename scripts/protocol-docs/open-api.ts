/** `docs/openapi.json`: every operation with its fields, its answers and an example of each, from the command table. */
import { isSuggestionOperation, OPERATIONS, type Operation } from '../../src/protocol/operations.ts';
import { errorSchema, healthSchema, SUGGESTION_PORT } from '../../src/protocol/suggestion-wire.ts';
import { SUGGESTION_LIMITS } from '../../src/server/suggestions/port.ts';
import { SERVER_ROUTES, type ServerRoute } from '../../src/server/suggestions/router.ts';
import { type JsonSchema, SchemaBook } from './schemas.ts';

const ERRORS: Readonly<Record<number, string>> = {
  400: 'A field is missing or wrong; the sentence names it.',
  401: 'No token, or not a valid one.',
  403: 'A foreign Origin, or not for an author.',
  404: 'No such suggestion, hunk, session, job, checkpoint or folder.',
  405: 'Not with this method; `Allow` names those that are taken.',
  408: 'It did not come as a whole in time.',
  409: 'In conflict with the target or with another decision; nothing was written.',
  413: `The body is larger than ${SUGGESTION_LIMITS.maxBodyBytes} bytes.`,
  415: 'The body is not JSON.',
  421: 'The Host header names another server.',
  431: 'The address and the headers are too long.',
  426: 'Ask for an upgrade to a WebSocket.',
  429: 'A limit is met; `Retry-After` says in how many seconds to look again.',
  500: 'A defect of copane.',
  503: 'Too many connections are open, or too many long requests come in; `Retry-After` says in how many seconds to try again.',
};

/** The OpenAPI document. */
export function openApi(): string {
  const book = new SchemaBook('#/components/schemas/');
  book.add(errorSchema.array(), 'output');
  const paths: Record<string, Record<string, unknown>> = {};
  const put = (path: string, method: string, operation: object) => {
    const template = path.replace(/:(\w+)/g, '{$1}');
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation };
  };
  for (const one of OPERATIONS) put(one.path, one.method, operationOf(one, book));
  for (const route of SERVER_ROUTES) put(route.path, route.method, serverOperation(route, book));
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'The suggestion protocol of copane',
      version: '1',
      description: 'An AI publishes a change; a person decides on it, hunk by hunk. See protocol.md.',
    },
    servers: [{ url: `http://127.0.0.1:${SUGGESTION_PORT}` }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      responses: Object.fromEntries(
        Object.entries(ERRORS).map(([status, description]) => [
          `error_${status}`,
          errorOf(description, HEADERS[Number(status)]),
        ]),
      ),
      schemas: book.named,
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

const SECONDS = { 'Retry-After': { schema: { type: 'integer' } } };
const HEADERS: Readonly<Record<number, object>> = {
  405: { Allow: { schema: { type: 'string' } } },
  429: SECONDS,
  503: SECONDS,
};

const errorOf = (description: string, headers?: object) => ({
  description,
  ...(headers === undefined ? {} : { headers }),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

/** References to the error answers. */
const errors = (...statuses: number[]) =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/error_${status}` }]));

/** Origin, Host and method of a request are checked before everything else. */
const EVERYWHERE = [403, 405, 421, 431, 500] as const;
const WITH_BODY = [408, 413, 415, 503] as const;
const COMMON = [...EVERYWHERE, 400, 401, 404, 409, 429] as const;

function operationOf(operation: Operation, book: SchemaBook) {
  const { name, method, path, status, summary, role } = operation;
  const fields = book.add(operation.fields, 'input');
  const named = [...path.matchAll(/:(\w+)/g)].map(([, field]) => field ?? '');
  const isoTimes = !isSuggestionOperation(name);
  const answer = book.add(operation.answer, 'output', { isoTimes });
  const inPath = named.map((field) => parameter(field, 'path', fields, book));
  const others = Object.keys(fields.properties ?? {}).filter((field) => !named.includes(field));
  const query = method === 'GET' ? others.map((field) => parameter(field, 'query', fields, book)) : [];
  const body =
    method === 'POST' ? { requestBody: { required: true, content: json(only(fields, others), book) } } : {};
  return {
    operationId: name,
    summary: role === 'reviewer' ? `${summary} For the reviewer alone.` : summary,
    parameters: [...inPath, ...query],
    ...body,
    responses: {
      [status]: { description: summary, content: json(answer, book) },
      ...errors(...COMMON, ...(method === 'POST' ? WITH_BODY : [])),
      ...(hasConflict(operation) ? { 409: conflict(answer, book) } : {}),
    },
  };
}

/** A save or an undo may conflict: the body then holds the answer and the conflict. */
const hasConflict = ({ command }: Operation) =>
  command === 'agent/save' || command === 'agent/apply' || command === 'agent/rollback';

function conflict(answer: JsonSchema, book: SchemaBook) {
  const { properties, required = [], ...rest } = book.resolve(answer);
  const schema = {
    ...rest,
    properties: { ...properties, ...book.resolve({ $ref: '#/components/schemas/Error' }).properties },
    required: [...required, 'success', 'error'],
  };
  const either = { anyOf: [schema, { $ref: '#/components/schemas/Error' }] };
  return { description: ERRORS[409], content: { 'application/json': { schema: either } } };
}

function only(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => names.includes(name));
  const required = (schema.required ?? []).filter((name) => names.includes(name));
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

const json = (schema: JsonSchema, book: SchemaBook) => ({
  'application/json': { schema, example: book.exampleOf(schema) },
});

function parameter(name: string, place: 'path' | 'query', fields: JsonSchema, book: SchemaBook) {
  const { description, ...given } = fields.properties?.[name] ?? { type: 'string' };
  const schema = place === 'path' ? written(given) : given;
  const required = place === 'path' || (fields.required?.includes(name) ?? false);
  return {
    name,
    in: place,
    required,
    ...(description === undefined ? {} : { description }),
    schema,
    ...(required ? { example: book.exampleOf(schema) } : {}),
  };
}

/** A path parameter is always given: it is never null and has no default. */
function written({ default: _, anyOf, ...schema }: JsonSchema): JsonSchema {
  return anyOf?.find(({ type }) => type !== 'null') ?? schema;
}

function serverOperation({ path, target, summary }: ServerRoute, book: SchemaBook) {
  const operationId = path.slice(1);
  const since = { name: 'since', in: 'query', required: false, schema: { type: 'integer', minimum: 0 } };
  const folder = { name: 'working_directory', in: 'query', required: false, schema: { type: 'string' } };
  switch (target.kind) {
    case 'health': {
      const content = json(book.add(healthSchema, 'output'), book);
      const responses = { 200: { description: summary, content }, ...errors(...EVERYWHERE) };
      return { operationId, summary, security: [], responses };
    }
    case 'events': {
      const content = { 'text/event-stream': { schema: { type: 'string' } } };
      const responses = {
        200: { description: 'See asyncapi.json.', content },
        ...errors(...EVERYWHERE, 400, 401, 503),
      };
      return { operationId, summary, parameters: [since, folder], responses };
    }
    case 'socket':
      return {
        operationId,
        summary,
        parameters: [since, folder],
        responses: {
          101: { description: 'See asyncapi.json.' },
          ...errors(...EVERYWHERE, 400, 401, 426, 503),
        },
      };
    default:
      return {
        operationId,
        summary,
        requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
        responses: {
          200: { description: 'As MCP has it.', content: { 'application/json': { schema: {} } } },
          ...errors(...EVERYWHERE, ...WITH_BODY, 400, 401),
        },
      };
  }
}
